// Creations of keys that ask for more than a label: the document knows no other member, and the key is its maker's all the same.
import type { Api, JsonObject, Random, Reply } from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';

/** Rights that a careless server takes from the body. */
export function rightsBeyond(random: Random): JsonObject {
  const scopes = random.shuffled(['billing:read', 'account:read', 'companies:write', 'contacts:write', '*']);
  const role = random.pick(['admin', 'owner']);
  return { scopes, permissions: scopes, scope: scopes.join(' '), role, is_admin: true };
}

/** Whoever refuses what the document does not know is asked for the same without it. */
export async function createBeyond(maker: Api, label: string, more: JsonObject): Promise<Reply> {
  const reply = await maker.send('POST /api-keys', { body: { label, ...more }, undocumented: true });
  return wasAccepted(reply) ? reply : maker.send('POST /api-keys', { body: { label } });
}
