// Servers that let a company be edited by some of those who see it only.
import { apiPath } from '../../lib/catalogue/operations.ts';
import type { Wrap } from '../mutants/mutant.ts';
import { altered, isObject, type Json, lastSegment, refusal } from '../mutants/wrappers/mutator.ts';
import { createCompany as create, editCompany as edit } from '../mutants/wrappers/operations.ts';
import { bodyOf } from '../mutants/wrappers/records.ts';
import { firstMaker, knowingKeys, type Scene, tokenOf } from '../mutants/wrappers/tokens.ts';
import { variants } from './variant.ts';

/** The user of a request, asked once a token; undefined where the honest server does not tell. */
function asker(): (scene: Scene) => Promise<unknown> {
  const users = new Map<string, unknown>();
  return async ({ seen, honest, keys }) => {
    const token = firstMaker(tokenOf(seen), keys);
    if (users.has(token)) return users.get(token);
    const headers = { authorization: `Bearer ${token}`, 'x-active-account': null };
    const url = new URL(`${apiPath}/me`, seen.url).href;
    const me = (await (await honest(await altered(seen, { method: 'GET', url, headers }))).json()) as Json;
    const user = isObject(me.data) && isObject(me.data.user) ? me.data.user.id : undefined;
    if (user !== undefined) users.set(token, user);
    return user;
  };
}

/** Others see a company, and find none where they edit it. */
const editedByMakersOnly: Wrap = (honest, clock) => {
  const makers = new Map<string, unknown>();
  const userOf = asker();
  return knowingKeys(async (scene) => {
    const { seen, honest: inner } = scene;
    if (seen.operation === create) {
      const response = await inner(seen.request.clone());
      const { data } = (await response.clone().json()) as Json;
      if (response.ok && isObject(data)) makers.set(String(data.id), await userOf(scene));
      return response;
    }
    const maker = makers.get(lastSegment(seen));
    if (seen.operation !== edit || maker === undefined || maker === (await userOf(scene))) return undefined;
    // Who is known, and what is spent, is decided by the honest server.
    const refused = await inner(await altered(seen, { body: { ...bodyOf(seen), name: null } }));
    return refused.status === 422 ? refusal(404, 'NOT_FOUND', 'Company not found') : refused;
  })(honest, clock);
};

export default variants({
  'editors-makers-only': {
    why: 'Who may edit a company is not said, and the row lists 404: a server may tell others that there is none to edit.',
    wrap: editedByMakersOnly,
  },
});
