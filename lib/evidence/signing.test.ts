// Signatures: what was signed is what is read, a foreign verifier accepts it, and stand-ins look like the secrets they replace.
import { generateKeyPairSync } from 'node:crypto';
import { bundleFromJSON } from '@sigstore/bundle';
import { toSignedEntity, Verifier } from '@sigstore/verify';
import { beforeAll, describe, expect, test } from 'vitest';
import { mutants } from '../../lab/mutants/index.ts';
import { type RecordedRun, recordedRun } from '../../lab/recorded-run.ts';
import { UsageError } from '../configuration/settings.ts';
import { sha256 } from '../runtime/text.ts';
import { StandIns } from './record.ts';
import { type Envelope, envelopeOf } from './signature.ts';
import {
  fingerprintIn,
  fingerprintOf,
  predicateType,
  privateKeyFrom,
  publicKeyFrom,
  statementOf,
} from './statement.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');
const settings = { effort: 'quick', areas: ['billing'], exhaustion: false } as const;

let run: RecordedRun;
let mutant: RecordedRun;
beforeAll(async () => {
  run = await recordedRun({ settings });
  const wrap = mutants.find(({ id }) => id === 'billing-shows-summary-without-scope')?.wrap;
  mutant = await recordedRun({ settings, ...(wrap && { wrap }) });
});

const filesOf = ({ file, reportFile }: RecordedRun) => ({
  'evidence.jsonl.gz': sha256(file),
  'report.json': sha256(reportFile),
});
const signed = (one: RecordedRun, key = privateKey): Envelope =>
  envelopeOf(statementOf({ report: one.built.report, code: '0'.repeat(64), files: filesOf(one) }, key), key);

/** Sigstore's verifier, with our key for its only trust. */
function foreign(envelope: Envelope, key = publicKey): unknown {
  const bundle = bundleFromJSON({
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: { publicKey: { hint: fingerprintOf(key) }, tlogEntries: [] },
    dsseEnvelope: envelope,
  });
  const trusted = { publicKey: key, validFor: () => true };
  const nobody = { certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [] };
  const verifier = new Verifier(
    { ...nobody, publicKey: () => trusted },
    { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 },
  );
  return verifier.verify(toSignedEntity(bundle));
}

describe('the envelope', () => {
  test('is accepted by a verifier that we did not write, and refused by it once anything is altered', () => {
    const envelope = signed(run);
    expect(foreign(envelope)).toMatchObject({ key: expect.anything() });
    const other = Buffer.from(envelope.payload, 'base64').toString().replace('PASSED', 'FAILED');
    expect(() => foreign({ ...envelope, payload: Buffer.from(other).toString('base64') })).toThrow(/signature/);
    expect(() => foreign({ ...envelope, payloadType: 'text/plain' })).toThrow(/signature/);
    expect(() => foreign(envelope, stranger.publicKey)).toThrow(/signature/);
  });

  test('holds a test result in the form of in-toto', () => {
    const statement = JSON.parse(Buffer.from(signed(run).payload, 'base64').toString());
    expect(statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType,
      subject: [
        { name: 'evidence.jsonl.gz', digest: { sha256: sha256(run.file) } },
        { name: 'report.json', digest: { sha256: sha256(run.reportFile) } },
      ],
      predicate: { result: 'PASSED', failedTests: [], passedTests: expect.arrayContaining(['billing-summary-scope']) },
    });
    const failed = JSON.parse(Buffer.from(signed(mutant).payload, 'base64').toString());
    expect(failed.predicate).toMatchObject({ result: 'FAILED', failedTests: ['billing-summary-scope'] });
  });
});

describe('keys', () => {
  const pem = (key: { export(options: object): unknown }, type: string, more = {}) =>
    String(key.export({ type, format: 'pem', ...more }));
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const locked = pem(privateKey, 'pkcs8', { cipher: 'aes-128-cbc', passphrase: 'x' });

  test.each([
    ['no key', 'hello', /no key in PEM in k\.pem; covenant keygen/],
    ['a broken key', pem(privateKey, 'pkcs8').replace(/[A-Za-z]{8}/, ''), /in k\.pem/],
    ['another kind', pem(rsa.privateKey, 'pkcs8'), /of the kind rsa, not Ed25519/],
    ['a public key', pem(publicKey, 'spki'), /is a public one/],
    ['an encrypted key', locked, /is encrypted/],
  ])('%s is refused in one sentence', (_, text, message) => {
    expect(() => privateKeyFrom(text, 'k.pem')).toThrow(message);
    expect(() => privateKeyFrom(text, 'k.pem')).toThrow(UsageError);
  });

  test('a private key is not taken for a public one', () => {
    expect(() => publicKeyFrom(pem(privateKey, 'pkcs8'), 'k.pem')).toThrow(/is a private one/);
  });

  test('line breaks may be written as \\n, as variables of CI systems do', () => {
    expect(fingerprintOf(privateKeyFrom(pem(privateKey, 'pkcs8').replaceAll('\n', '\\n'), 'k'))).toBe(
      fingerprintOf(publicKey),
    );
  });

  test('a fingerprint is known by its form', () => {
    const hex = fingerprintOf(publicKey);
    expect([fingerprintIn(hex), fingerprintIn(`sha256:${hex.toUpperCase()}`), fingerprintIn('k.pem')]).toEqual([
      hex,
      hex,
      undefined,
    ]);
  });
});

const key = 'svc_sk_Qu0VxAbCdEfGhIjKlMnOpQrStUv';
const head = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyLTE3In0';
const jwt = `${head}.c2lnbmF0dXJlLWJ5dGVzc2lnbmF0dXJl`;

function replacing(invented: Readonly<Record<string, string>> = {}): (text: string) => string {
  const standIns = new StandIns();
  const { secrets } = standIns;
  secrets.add('COVENANT_API_KEY', key);
  secrets.add('COVENANT_JWT', jwt);
  for (const [name, token] of Object.entries(invented)) secrets.addInvented(name, token);
  return (text) => standIns.replace(text);
}

test('of a key its visible beginning and its last character stay, and the kind of each other one', () => {
  const standIn = replacing()(key);
  expect(standIn).toHaveLength(key.length);
  expect([standIn.slice(0, 13), standIn.at(-1)]).toEqual([key.slice(0, 13), key.at(-1)]);
  const kinds = (token: string) => token.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/\d/g, '0');
  expect(kinds(standIn)).toBe(kinds(key));
  expect(standIn).not.toContain(key.slice(14, 20));
});

test('a short text keeps its punctuation, also where that means something to those who replace texts', () => {
  const standIns = new StandIns();
  standIns.secrets.add('KEY', "$$ab$&$'7");
  expect(standIns.replace("(c$$ab$&$'7d)")).toMatch(/^\(c\$\$[^ab]{2}\$&\$'[^7]d\)$/);
});

test('of a JWT header and claims stay', () => {
  const standIn = replacing()(jwt);
  expect(standIn.startsWith(`${head}.`)).toBe(true);
  expect(standIn).not.toContain(jwt.slice(-20, -5));
  expect(standIn.slice(head.length + 1, head.length + 9)).not.toBe(jwt.slice(head.length + 1, head.length + 9));
});

describe('a token that the run made up', () => {
  const backwards = (text: string): string => [...text].reverse().join('');
  const made: readonly [what: string, make: (key: string, jwt: string) => string][] = [
    ['with another character inside', (one) => `${one.slice(0, 20)}7${one.slice(21)}`],
    ['without its last character', (one) => one.slice(0, -1)],
    ['a short part', (one) => one.slice(8, 20)],
    ['in lower case', (one) => one.toLowerCase()],
    ['in upper case', (one) => one.toUpperCase()],
    ['backwards', (one) => backwards(one)],
    ['a JWT without its signature', (_, session) => session.slice(0, session.lastIndexOf('.') + 1)],
    ['a JWT signed backwards', (_, session) => `${head}.${backwards(session.slice(head.length + 1))}`],
    ['of no secret', () => 'svc_sk_0123456789abcdef'],
  ];

  test.each(made)('%s', (_, make) => {
    const token = make(key, jwt);
    const replace = replacing({ 'a token': token });
    expect(replace(`Bearer ${token} is not valid`)).toBe(`Bearer ${make(replace(key), replace(jwt))} is not valid`);
  });
});
