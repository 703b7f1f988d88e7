// A cursor of a list of companies, contacts or notes, from a page with one record.
import {
  type Api,
  at,
  type Call,
  type Company,
  eventuallySeen,
  expectSuccess,
  NotTested,
  type OperationId,
  type Reply,
  type Tools,
} from '../../lib/index.ts';

interface Listed {
  readonly api: Api;
  readonly operation: OperationId;
  readonly path?: Call['path'];
}

export const nextCursorOf = (reply: Reply): string | undefined => {
  const cursor = at(reply.json, 'pagination', 'next_cursor');
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
};

/** If the list has one page only, another record is made; contacts and notes of this company. */
export async function cursorOf(
  { api, operation, path }: Listed,
  company: Pick<Company, 'id'>,
  { clock, make }: Pick<Tools, 'clock' | 'make'>,
): Promise<string> {
  const another = () => {
    if (operation === 'GET /companies') return make.company(api);
    return operation === 'GET /contacts' ? make.contact(api, company.id) : make.note(api, company.id);
  };
  for (let records = 0; records <= 2; records += 1) {
    if (records > 0) await another();
    const changedAt = records > 0 ? clock.now() : -Infinity;
    const look = () => api.send(operation, { ...(path && { path }), query: { limit: 1 } });
    const first = await eventuallySeen(clock, changedAt, look, (reply) => nextCursorOf(reply) !== undefined);
    expectSuccess(first);
    const cursor = nextCursorOf(first);
    if (cursor !== undefined) return cursor;
  }
  throw new NotTested(`${operation} issues no cursor with a limit of 1`);
}
