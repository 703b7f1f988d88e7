// Certificates for tests, made anew each time with openssl: an authority, a server, a client, and one of another authority.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Pair {
  /** PEM texts, and the files that hold them. */
  readonly cert: string;
  readonly key: string;
  readonly certFile: string;
  readonly keyFile: string;
}

const openssl = (...words: string[]): void => {
  execFileSync('openssl', words, { stdio: ['ignore', 'ignore', 'pipe'] });
};

const pairOf = (certFile: string, keyFile: string): Pair => ({
  cert: readFileSync(certFile, 'utf8'),
  key: readFileSync(keyFile, 'utf8'),
  certFile,
  keyFile,
});

const keyOptions = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'];

function authority(folder: string, name: string): Pair {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key.pem`)];
  openssl('req', '-x509', ...keyOptions, '-keyout', key, '-out', cert, '-days', '2', '-subj', `/CN=${name}`);
  return pairOf(cert, key);
}

function issued(folder: string, name: string, by: Pair, extension: string): Pair {
  const [cert, key, request] = ['pem', 'key.pem', 'csr'].map((end) => join(folder, `${name}.${end}`)) as [
    string,
    string,
    string,
  ];
  const extensions = join(folder, `${name}.ext`);
  writeFileSync(extensions, `${extension}\n`);
  openssl('req', '-new', ...keyOptions, '-keyout', key, '-out', request, '-subj', `/CN=${name}`);
  const signing = ['-CA', by.certFile, '-CAkey', by.keyFile, '-CAcreateserial', '-days', '2', '-extfile', extensions];
  openssl('x509', '-req', '-in', request, '-out', cert, ...signing);
  return pairOf(cert, key);
}

/** All in a folder of their own in the system's folder for temporary files. */
export function certificates() {
  const folder = mkdtempSync(join(tmpdir(), 'covenant-tls-'));
  const ca = authority(folder, 'authority');
  const unknown = authority(folder, 'another-authority');
  return {
    folder,
    ca,
    server: issued(folder, 'server', ca, 'subjectAltName=IP:127.0.0.1,IP:0.0.0.0,DNS:localhost'),
    client: issued(folder, 'client', ca, 'extendedKeyUsage=clientAuth'),
    otherClient: issued(folder, 'other-client', unknown, 'extendedKeyUsage=clientAuth'),
  };
}
