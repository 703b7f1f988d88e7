// Cases: plain reads, again later and by other callers; the common request headers; and the version in the path.
import * as fc from 'fast-check';
import {
  type Api,
  anonymous,
  at,
  type Call,
  type Credential,
  conforms,
  expectSuccess,
  isObject,
  type OperationId,
  property,
  type Random,
  type Reply,
  slugsIn,
} from '../../lib/index.ts';
import { distinct, wasAccepted } from '../shared/answer.ts';
import { plainReads, successDuties } from '../shared/groups.ts';
import { readSample } from '../walk/reads.ts';
import { movesWithinMs } from './duties.ts';

const named = ['request_id', 'timestamp', 'data', 'pagination'];
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const texts = (replies: readonly Reply[], member: string): string[] =>
  replies.map(({ json }) => at(json, member)).filter((value) => typeof value === 'string');

/** A UUID, or prefix and length. */
function formOf(id: string): string {
  if (uuid.test(id)) return 'UUID';
  const prefix = /^[a-z]+[_-]/i.exec(id)?.[0] ?? '';
  return `${prefix === '' ? '' : `${prefix} and `}${id.length - prefix.length} characters`;
}

function offsetOf(timestamp: string): string {
  const [offset] = /z$|[+-]\d\d(?::?\d\d)?$/i.exec(timestamp.slice('2026-03-02'.length)) ?? ['none'];
  return offset;
}

/** The most digits seen, as some clocks drop trailing zeros. */
const precisionOf = (timestamps: readonly string[]): number =>
  Math.max(0, ...timestamps.map((one) => /[.,](\d+)/.exec(one)?.[1]?.length ?? 0));

const membersBeyond = (replies: readonly Reply[]): string =>
  distinct(
    replies.flatMap(({ json }) => (isObject(json) ? Object.keys(json) : [])).filter((name) => !named.includes(name)),
  );

const versionHeaders = (replies: readonly Reply[]): string =>
  distinct(
    replies.flatMap(({ headers }) => Object.keys(headers)).filter((name) => /version|deprecat|sunset/.test(name)),
  );

/** Reads concurrently with all callers; with a session also under X-Active-Account. */
async function finalReads(
  api: Api,
  random: Random,
  { session, others }: { readonly session: Credential | undefined; readonly others: readonly Credential[] },
): Promise<void> {
  const ofSession = async (own: Api) => {
    const replies = await own.send('GET /me/accounts');
    const further = random.derive('the session looks elsewhere');
    const [account] = further.shuffled(slugsIn(replies).map(({ slug }) => slug));
    const elsewhere = account === undefined ? [] : [readSample(own, further, account)];
    await Promise.all([readSample(own, random.derive('the session looks last')), ...elsewhere]);
  };
  await Promise.all([
    ...[api, ...others.map((other) => api.as(other))].map((one) =>
      readSample(one, random.derive(`${one.credential.name} looks last`)),
    ),
    ...(session === undefined ? [] : [ofSession(api.as(session))]),
  ]);
}

export const reading = conforms(
  [
    'envelope-valid-served',
    'envelope-byte-order-mark',
    'envelope-request-id-form',
    'envelope-timestamp-precision',
    'envelope-extra-members',
    'envelope-version-headers',
  ],
  {
    wants: ['session', 'secondary', 'restricted', 'accountlessSession'],
    feeds: successDuties,
    visits: plainReads,
    reads: [17, 113, 114],
  },
  async ({ api, session, secondary, restricted, accountlessSession, clock, random, effort, atEnd, observe }) => {
    const read = (operation: OperationId, sender = api, call: Call = {}): Promise<Reply> =>
      (operation === 'GET /health' ? api.as(anonymous) : sender).send(operation, call);
    const replies: Reply[] = [];
    // With the configured key itself, not an equal one.
    for (const operation of plainReads) replies.push(await read(operation, api, { exactly: true }));

    const successes = replies.filter(({ status }) => status === 200);
    const timestamps = texts(successes, 'timestamp');
    observe('envelope-request-id-form', distinct(texts(successes, 'request_id').map(formOf)) || 'none', ...successes);
    observe(
      'envelope-timestamp-precision',
      `offset ${distinct(timestamps.map(offsetOf)) || 'unknown'}, ${precisionOf(timestamps)} digits after the second`,
      ...successes,
    );
    const marked = replies.filter(({ text }) => text.startsWith('\ufeff'));
    const places =
      marked.length === replies.length ? 'every plain read' : distinct(marked.map(({ operation = '' }) => operation));
    observe(
      'envelope-byte-order-mark',
      marked.length === 0 ? 'no' : `yes, on ${places}`,
      ...(marked.length > 0 ? marked : replies),
    );
    observe('envelope-extra-members', membersBeyond(successes) || 'none', ...successes);
    observe('envelope-version-headers', versionHeaders(replies) || 'none', ...replies);

    // Later, so that the timestamp has moved.
    const readAt = clock.now();
    const others = [session, secondary, restricted, accountlessSession].flatMap((one) => (one ? [api.as(one)] : []));
    atEnd(async () => {
      await clock.sleep(Math.max(0, readAt + movesWithinMs + 1 - clock.now()));
      for (const operation of plainReads) {
        const reply = await read(operation, random.pick([api, ...others]));
        if (reply.status !== 200) await read(operation);
      }
    });
    // Also at the end of the run: earlier deletions, revocations, refusals and switches must not affect readers.
    const last = [secondary, restricted].flatMap((one) => one ?? []);
    if (effort !== 'quick') atEnd(() => finalReads(api, random, { session, others: last }));
  },
);

/** Printable ASCII without outer spaces, which HTTP removes. */
const names = fc.stringMatching(/^[!-~](?:[ -~]{0,60}[!-~])?$/);
/** Realistic product names. */
const plausible = fc.constantFrom(
  'Deal Desk (EU), v2.1',
  'acme/loan-sync 1.0 +https://acme.example',
  "O'Neill & Sons",
  '"Quoted" name; with=parameters',
  '100% [beta] {x}',
);
const tried = ['GET /me', 'GET /companies', 'GET /api-keys'] as const satisfies readonly OperationId[];
const onePage = (operation: OperationId): Call => (operation === 'GET /me' ? {} : { query: { limit: 1 } });

export const requestHeaders = [
  conforms('envelope-origin-app-text', {}, async ({ api, random, effort }) => {
    for (const operation of tried) await api.send(operation, onePage(operation));
    const named = fc.tuple(fc.oneof(plausible, names), fc.constantFrom(...tried));
    const send = async ([name, operation]: [string, (typeof tried)[number]]) =>
      void (await api.send(operation, { ...onePage(operation), headers: { 'x-origin-app': name } }));
    await property(random, named, send, { quick: 3, standard: 8, thorough: 30 }[effort]);
  }),

  conforms('envelope-origin-app-missing', {}, async ({ api, observe }) => {
    const without = { headers: { 'x-origin-app': null } };
    const me = await api.send('GET /me', without);
    const list = await api.send('GET /companies', { query: { limit: 1 }, ...without });
    observe('envelope-origin-app-missing', `GET /me: ${me.status}; GET /companies: ${list.status}`, me, list);
  }),

  conforms(
    ['envelope-request-charset', 'envelope-request-media-type'],
    { needs: ['spare', 'spareCompany'], writes: [2, 4, 4], beyondQuick: ['envelope-request-media-type'] },
    async ({ api: primary, spare, spareCompany, make, random, effort, observe }) => {
      const api = primary.as(spare);
      const labelled = (contentType: string | null) =>
        api.send('POST /companies/{company_id}/notes', {
          path: { company_id: spareCompany.id },
          body: { text: make.name('note') },
          headers: { 'content-type': contentType },
          key: random.uuid(),
        });
      const charset = await labelled('application/json; charset=utf-8');
      // The control request, where one is needed.
      if (!wasAccepted(charset)) expectSuccess(await labelled('application/json'));
      if (effort === 'quick') return;
      const none = await labelled(null);
      const plain = await labelled('text/plain');
      observe('envelope-request-media-type', `without: ${none.status}; text/plain: ${plain.status}`, none, plain);
    },
  ),

  // The same path with another version prefix.
  conforms('envelope-version-other', {}, async ({ api, observe }) => {
    const replies = [];
    for (const version of ['v1', 'v3']) replies.push(await api.route('GET', `/../${version}/me`));
    const answers = replies.map(({ status, request }) => `${/v\d+(?=\/me)/.exec(request.url)?.[0]}: ${status}`);
    observe('envelope-version-other', answers.join('; '), ...replies);
  }),
];
