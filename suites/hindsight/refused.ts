// Companies, contacts and keys that were refused: no list shows one, and no read by its identifier, whoever sent it and whoever looks.
import {
  dataOf,
  isNamedByRun,
  isObject,
  itemsOf,
  type JsonObject,
  type JudgedId,
  type OperationId,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { wrong } from './judgement.ts';
import { sentBody } from './sent.ts';

export const refusedIds = [
  'companies-create-refused-effect',
  'contacts-create-refused-effect',
  'contacts-phone-refused-effect',
  'api-keys-create-refused-effect',
] as const satisfies readonly JudgedId[];

/** For what they hold; and companies and keys, which are nobody else's yet, also for want of a right. */
const refusals: { readonly [Id in OperationId]?: readonly number[] } = {
  'POST /companies': [400, 403, 422],
  'POST /contacts': [400, 422],
  'POST /api-keys': [400, 403, 404, 422],
};
const shown: { readonly [Id in OperationId]?: OperationId } = {
  'GET /companies': 'POST /companies',
  'GET /companies/{company_id}': 'POST /companies',
  'GET /contacts': 'POST /contacts',
  'GET /api-keys': 'POST /api-keys',
};

const textsOf = (record: JsonObject): readonly string[] =>
  Object.values(record).filter((value) => typeof value === 'string');
/** Texts that nothing but one write of this run carries. */
const marksIn = (asked: Pick<Reply, 'request'>): readonly string[] =>
  textsOf(sentBody(asked) ?? {}).filter(isNamedByRun);

const isRefused = ({ operation, status, undocumented, mayReplay }: Reply): boolean =>
  operation !== undefined && !undocumented && !mayReplay && refusals[operation]?.includes(status) === true;

/** What a refused creation must not leave behind. */
export function dutyOf(reply: Reply): (typeof refusedIds)[number] {
  const { contact_type, phones } = sentBody(reply) ?? {};
  if (reply.operation === 'POST /companies') return 'companies-create-refused-effect';
  if (reply.operation === 'POST /api-keys') return 'api-keys-create-refused-effect';
  return contact_type !== undefined && phones !== undefined
    ? 'contacts-phone-refused-effect'
    : 'contacts-create-refused-effect';
}

/** By their marks, those that only refused requests carry. */
function refusedIn({ replies, lost }: Story): ReadonlyMap<string, Reply> {
  const refused = new Map<string, Reply>();
  const others = new Set<string>();
  for (const reply of replies) {
    if (reply.request.method === 'GET') continue;
    if (isRefused(reply)) for (const mark of marksIn(reply)) refused.set(`${reply.operation} ${mark}`, reply);
    else for (const mark of marksIn(reply)) others.add(mark);
  }
  for (const request of lost) for (const mark of marksIn({ request })) others.add(mark);
  const isOpen = (mark: string): boolean => others.has(mark) || lost.some(({ body }) => body?.includes(mark));
  return new Map([...refused].filter(([name]) => !isOpen(name.replace(/^POST \S+ /, ''))));
}

export function judgeRefused(story: Story): readonly Wrong[] {
  const refused = refusedIn(story);
  return story.replies.flatMap((reply): readonly Wrong[] => {
    const creation = reply.operation && shown[reply.operation];
    if (creation === undefined || !wasAccepted(reply)) return [];
    const data = dataOf(reply);
    const records = isObject(data) ? [data] : itemsOf(reply);
    return records.flatMap((record) =>
      textsOf(record).flatMap((text): readonly Wrong[] => {
        const source = refused.get(`${creation} ${text}`);
        if (source === undefined || source.id > reply.after) return [];
        const found = { expected: 'no such record', actual: record, replies: [source, reply] };
        return [wrong(dutyOf(source), creation, 'what was refused should not be there', found)];
      }),
    );
  });
}
