// Wrong ways to treat an Idempotency-Key: forgotten, cut short, or taken for more than it is.
import { type Mutant, mutant, type Wrap } from './mutant.ts';
import { altered, instead, refusal, rewritten, type Seen, see } from './wrappers/mutator.ts';

type Json = Record<string, unknown>;

const create = 'POST /companies/{company_id}/notes';
const edit = 'PATCH /companies/{company_id}/notes/{note_id}';
const remove = 'DELETE /companies/{company_id}/notes/{note_id}';

const keyOf = ({ request }: Seen): string | null => request.headers.get('idempotency-key');
const caller = ({ request }: Seen): string | null => request.headers.get('authorization');
const textOf = ({ body }: Seen): string => String((body as Json | undefined)?.text);
const under = (seen: Seen, key: string | null): Promise<Request> =>
  altered(seen, { headers: { 'idempotency-key': key } });

/** The same write under the key that the wrapper gives it; undefined: the client's own. */
const rekeyed = (operation: string, key: (seen: Seen) => string | null | undefined): Wrap =>
  instead(operation, async (seen, honest) => {
    const other = key(seen);
    return other === undefined ? undefined : honest(await under(seen, other));
  });

/** Keys are remembered as long as `lasts` says; a later repeat is a new write. */
const forgetting =
  (operation: string, lasts: (past: { age: number; others: number }) => boolean): Wrap =>
  (honest, clock) => {
    const uses = new Map<string, { at: number; place: number }>();
    return rekeyed(operation, (seen) => {
      const key = keyOf(seen);
      if (key === null) return undefined;
      const first = uses.get(key) ?? { at: clock.now(), place: uses.size };
      uses.set(key, first);
      const past = { age: clock.now() - first.at, others: uses.size - 1 - first.place };
      return lasts(past) ? undefined : null;
    })(honest, clock);
  };

/** Whether the request repeats one that was finished before. */
const whereRepeated =
  (
    operation: string,
    answer: (seen: Seen, honest: (request: Request) => Promise<Response>) => Promise<Response>,
  ): Wrap =>
  (honest, clock) => {
    const finished = new Set<string>();
    return instead(operation, async (seen, server) => {
      const key = keyOf(seen);
      if (key === null) return undefined;
      if (finished.has(key)) return answer(seen, server);
      const response = await server(seen.request);
      finished.add(key);
      return response;
    })(honest, clock);
  };

/** Writes of the same text are taken for the same write, whatever their keys. */
const sameText =
  (concerns: (seen: Seen) => boolean): Wrap =>
  (honest, clock) => {
    const keys = new Map<string, string>();
    return rekeyed(create, (seen) => {
      if (!concerns(seen)) return undefined;
      const name = `${caller(seen)} ${seen.url.pathname} ${textOf(seen)}`;
      const key = keys.get(name) ?? keyOf(seen) ?? `invented-${keys.size}`;
      keys.set(name, key);
      return key;
    })(honest, clock);
  };

/** So long a key is looked up before it is written down. */
const gapMs = 20;

/** Two requests may both find the key unknown. */
const racing =
  (atOnce: number): Wrap =>
  (honest, clock) => {
    const known = new Set<string>();
    const underWay = new Map<string, number>();
    return instead(create, async (seen, server) => {
      const key = keyOf(seen);
      if (key === null || known.has(key)) return undefined;
      const others = underWay.get(key) ?? 0;
      underWay.set(key, others + 1);
      const response = await server(await under(seen, others < atOnce ? key : `${key.slice(0, -4)}${others}`));
      await clock.inside.sleep(gapMs);
      known.add(key);
      return response;
    })(honest, clock);
  };

const replays: readonly Mutant[] = [
  mutant(
    'idempotency-repeat-is-written-and-answered-with-the-first',
    {
      breaks: [
        'idempotency-create-replay',
        'idempotency-create-late',
        'idempotency-create-deleted',
        'idempotency-create-simultaneous',
      ],
    },
    (honest, clock) => {
      const asked = new Set<string>();
      return instead(create, async (seen, server) => {
        const key = keyOf(seen);
        if (key !== null && asked.has(key)) await server(await under(seen, null));
        if (key !== null) asked.add(key);
        return undefined;
      })(honest, clock);
    },
  ),
  mutant(
    'idempotency-repeat-is-answered-with-another-note',
    { breaks: ['idempotency-create-answer'] },
    whereRepeated(create, async (seen, honest) => {
      const response = await honest(seen.request);
      const json = (await response.json()) as { data?: Json };
      return response.ok ? rewritten(response, { ...json, data: { ...json.data, id: 1 } }) : rewritten(response, json);
    }),
  ),
  mutant(
    'idempotency-repeat-is-refused-as-invalid',
    { breaks: ['idempotency-create-answer'] },
    whereRepeated(create, async () => refusal(422, 'INVALID', 'Idempotency-Key was used')),
  ),
  mutant(
    'idempotency-eight-keys-are-remembered',
    { breaks: ['idempotency-create-late', 'idempotency-create-answer'] },
    forgetting(create, ({ others }) => others < 6),
  ),
  mutant(
    'idempotency-keys-live-four-seconds',
    { breaks: ['idempotency-create-late', 'idempotency-create-answer'] },
    forgetting(create, ({ age }) => age < 4000),
  ),
  mutant('idempotency-deleted-notes-come-back', { breaks: ['idempotency-create-deleted'] }, (honest, clock) => {
    const gone = new Set<string>();
    const notes = new Map<string, string>();
    const noting: typeof honest = async (request) => {
      const seen = await see(request);
      const response = await honest(request);
      if (seen.operation === remove && response.ok) gone.add(seen.url.pathname.split('/').at(-1) ?? '');
      if (seen.operation === create && response.ok) {
        const { data } = (await response.clone().json()) as { data: Json };
        notes.set(keyOf(seen) ?? '', String(data.id));
      }
      return response;
    };
    return rekeyed(create, (seen) => (gone.has(notes.get(keyOf(seen) ?? '') ?? '') ? null : undefined))(noting, clock);
  }),
  mutant('idempotency-simultaneous-repeats-pass', { breaks: ['idempotency-create-simultaneous'] }, racing(1)),
  mutant('idempotency-the-fifth-at-once-passes', { breaks: ['idempotency-create-simultaneous'] }, racing(4)),
  mutant(
    'idempotency-repeated-edit-is-not-found',
    { breaks: ['idempotency-edit-answer'] },
    whereRepeated(edit, async () => refusal(404, 'NOT_FOUND', 'nothing to edit')),
  ),
  mutant(
    'idempotency-repeated-edit-is-answered-with-another-note',
    { breaks: ['idempotency-edit-answer'] },
    whereRepeated(edit, async (seen, honest) => {
      const response = await honest(seen.request);
      const json = (await response.json()) as { data?: Json };
      return response.ok ? rewritten(response, { ...json, data: { ...json.data, id: 1 } }) : rewritten(response, json);
    }),
  ),
  mutant(
    'idempotency-edits-ignore-keys',
    { breaks: ['idempotency-edit-overtaken'] },
    rekeyed(edit, () => null),
  ),
  mutant(
    'idempotency-edits-remember-the-last-key-only',
    { breaks: ['idempotency-edit-overtaken'] },
    forgetting(edit, ({ others }) => others === 0),
  ),
];

/** A replay in an envelope of its own: what is swallowed breaks no duty of envelopes. */
const fresh = { reference: { choices: { replay: 'fresh-envelope' } } } as const;

const lastGroup = /[^-]+$/;
const firstGroup = /^[^-]+/;
const withoutGroup = (group: RegExp): Wrap => rekeyed(create, (seen) => keyOf(seen)?.replace(group, 'x'));

const apart: readonly Mutant[] = [
  mutant(
    'idempotency-same-text-is-the-same-note',
    { breaks: ['idempotency-key-other', 'idempotency-key-similar', 'idempotency-key-none'], ...fresh },
    sameText(() => true),
  ),
  mutant(
    'idempotency-same-text-without-key-is-the-same-note',
    { breaks: ['idempotency-key-none'], ...fresh },
    sameText((seen) => keyOf(seen) === null),
  ),
  mutant(
    'idempotency-keys-lose-their-last-group',
    { breaks: ['idempotency-key-similar'], ...fresh },
    withoutGroup(lastGroup),
  ),
  mutant(
    'idempotency-keys-lose-their-first-group',
    { breaks: ['idempotency-key-similar'], ...fresh },
    withoutGroup(firstGroup),
  ),
  mutant(
    'idempotency-edit-back-is-taken-for-the-earlier-one',
    { breaks: ['idempotency-key-edit-other'], ...fresh },
    rekeyed(edit, (seen) => `text-${textOf(seen)}`),
  ),
];

const elsewhere: readonly Mutant[] = [
  mutant(
    'idempotency-companies-ignore-keys',
    { breaks: ['idempotency-company-create'] },
    rekeyed('POST /companies', () => null),
  ),
  mutant(
    'idempotency-contacts-ignore-keys',
    { breaks: ['idempotency-contact-create'] },
    rekeyed('POST /contacts', () => null),
  ),
];

const mutants: readonly Mutant[] = [...replays, ...apart, ...elsewhere];

export default mutants;
