// A closer look at an address that hung up: a TLS handshake of our own, which sends nothing after it.
import { connect } from 'node:tls';
import { demandsCertificate, speaksTls } from './no-reply-words.ts';

/** How long the handshake may take, and how long a server that wants a certificate has to hang up after it, in milliseconds. */
const lookMs = 1000;

/** Whether TLS is spoken there, and whether the other side then hangs up by itself. */
function handshake({ hostname, port, protocol }: URL): Promise<'none' | 'open' | 'closed'> {
  return new Promise((done) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({
      host,
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
      rejectUnauthorized: false,
    });
    let seen: 'none' | 'open' = 'none';
    const finish = (found: 'none' | 'open' | 'closed'): void => {
      socket.destroy();
      done(found);
    };
    socket.setTimeout(lookMs, () => finish(seen));
    socket.on('secureConnect', () => {
      seen = 'open';
      // Whoever wanted http there knows enough.
      if (protocol === 'http:') finish(seen);
    });
    socket.on('error', () => {});
    socket.on('close', () => finish(seen === 'none' ? 'none' : 'closed'));
    socket.resume();
  });
}

/** Why an address hangs up on requests; undefined where the handshake explains nothing. */
export async function whyHungUp(url: URL, hasCertificate: boolean): Promise<string | undefined> {
  if (url.protocol === 'http:') return (await handshake(url)) === 'none' ? undefined : speaksTls;
  if (hasCertificate) return undefined;
  return (await handshake(url)) === 'closed' ? demandsCertificate : undefined;
}
