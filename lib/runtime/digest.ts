// One way to say in few characters whether something is the same as before.
import { hash } from 'node:crypto';

/** SHA-256 in hexadecimal. */
export const sha256 = (content: string | Uint8Array): string => hash('sha256', content, 'hex');
