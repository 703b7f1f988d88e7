// The writes of an account exhausted, by edits of one note: what is refused then was not carried out.
import {
  type Api,
  type Call,
  conforms,
  expectSuccess,
  expectThat,
  isObject,
  itemsOf,
  NotTested,
  type OperationId,
  type Reply,
  type Tools,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { carries } from '../shared/search.ts';
import { unknownIds } from '../shared/unknown.ts';
import { allowanceOf, bursts, expectAllowed, expectEnforced, isRefused, type Send } from './burst.ts';
import { accepting, decides, expectLeftAlone, expectRefusedWhileSpent, otherThan } from './reads.ts';
import { judgeRecovery, judgeWords, wordIds } from './refusals.ts';
import { besideSpent, whileSpent } from './spent.ts';

/** The note and its company, and every text that was sent for it. */
class Desk {
  readonly edits: { readonly text: string; readonly reply: Reply }[] = [];
  readonly company: number;
  readonly note: number;
  /** The company's fields, to be sent again under another name. */
  readonly fields: Readonly<Record<string, unknown>>;
  private readonly marks = new Map<OperationId, string>();
  private readonly api: Api;
  private readonly make: Tools['make'];
  private readonly random: Tools['random'];

  constructor(
    api: Api,
    { make, random }: Pick<Tools, 'make' | 'random'>,
    about: Pick<Desk, 'company' | 'note' | 'fields'>,
  ) {
    this.api = api;
    this.make = make;
    this.random = random;
    this.company = about.company;
    this.note = about.note;
    this.fields = about.fields;
  }

  /** Edits the note, each time to another text. */
  readonly edit: Send = async () => {
    const text = this.make.name('edit of a burst');
    const reply = await this.api.send('PATCH /companies/{company_id}/notes/{note_id}', {
      path: { company_id: this.company, note_id: this.note },
      body: { text },
      throttle: 'accept',
    });
    this.edits.push({ text, reply });
    return reply;
  };

  /** The text that the write of an operation would leave behind. */
  mark(operation: OperationId): string {
    const known = this.marks.get(operation) ?? this.make.name('write while writes are spent');
    this.marks.set(operation, known);
    return known;
  }

  /** Should a key be made after all, its text is kept out of every report. */
  private keyCreation(): Send {
    const send = accepting(this.api, 'POST /api-keys', { body: { label: this.mark('POST /api-keys') } });
    return async () => {
      const reply = await send();
      if (wasAccepted(reply)) this.make.credential(this.api.credential, reply);
      return reply;
    };
  }

  /** One of each writing operation, valid in everything; what it would delete or switch to does not exist. */
  looks(): readonly Send[] {
    const { api } = this;
    const path = { company_id: this.company };
    const [unknown] = unknownIds(this.random, [this.company, this.note]);
    const creating = (operation: OperationId, body: (mark: string) => unknown, more: Call = {}) =>
      accepting(api, operation, { ...more, body: body(this.mark(operation)), key: this.random.uuid() });
    return [
      this.edit,
      accepting(api, 'PATCH /me/active-account', { body: { slug: `covenant-${unknown}` } }),
      this.keyCreation(),
      accepting(api, 'DELETE /api-keys/{key_id}', { path: { key_id: unknown } }),
      creating('POST /companies', (name) => ({ name, company_type: 'lender' })),
      creating('PATCH /companies/{company_id}', (name) => ({ ...this.fields, name }), { path }),
      creating('POST /companies/{company_id}/notes', (text) => ({ text }), { path }),
      accepting(api, 'DELETE /companies/{company_id}/notes/{note_id}', { path: { ...path, note_id: unknown } }),
      creating('POST /contacts', (last_name) => ({
        contact_type: 'lender_contact',
        company_id: this.company,
        last_name,
      })),
    ];
  }
}

interface Aftermath {
  readonly company: Reply;
  readonly lists: readonly Reply[];
  readonly notes: Reply;
}

/** What there is after the refusals; lists may lag behind, so they are read last. */
async function aftermath(api: Api, { company }: Desk): Promise<Aftermath> {
  const path = { company_id: company };
  const read = async (reply: Promise<Reply>) => {
    const given = await reply;
    expectSuccess(given);
    return given;
  };
  return {
    company: await read(api.send('GET /companies/{company_id}', { path })),
    lists: [
      await read(api.send('GET /companies', { query: { limit: 150 } })),
      await read(api.send('GET /contacts', { query: { limit: 150 } })),
      await read(api.send('GET /api-keys', { query: { limit: 150 } })),
    ],
    notes: await read(api.send('GET /companies/{company_id}/notes', { path, query: { limit: 150 } })),
  };
}

/** The note has the text of an edit that was accepted, and nothing that was refused is there. */
function expectNoEffect({ company, lists, notes }: Aftermath, desk: Desk, answers: readonly Reply[]): void {
  const wrong = desk.edits.filter(
    ({ reply, text }) => isRefused(reply) && itemsOf(notes).some((one) => carries(one, text)),
  );
  expectThat(wrong.length === 0, 'a refused edit should not be carried out', {
    expected: 'the text of an accepted edit',
    actual: wrong[0]?.text,
    replies: [...wrong.map(({ reply }) => reply), notes],
  });
  const refused = answers.filter(isRefused);
  const there = refused.flatMap(({ operation }) => {
    if (operation === undefined) return [];
    const seen = operation === 'PATCH /companies/{company_id}' ? [company] : [...lists, notes];
    return seen.filter(({ json }) => isObject(json) && carries(json, desk.mark(operation)));
  });
  expectThat(there.length === 0, 'a refused write should not be carried out', {
    expected: 'nothing of what was refused',
    actual: `it stands in ${there.map(({ operation }) => operation).join(', ')}`,
    replies: [...refused, ...there],
  });
}

export const writesExhausted = conforms(
  [
    'rate-limits-write-allowed',
    'rate-limits-write-enforced',
    ...wordIds,
    'rate-limits-refused-effect',
    'rate-limits-refused-recovery',
    'rate-limits-read-write-apart',
    'rate-limits-accounts-apart',
    'rate-limits-every-operation',
  ],
  {
    needs: ['exhaustible', 'exhaustibleCompany', 'exhaustibleNote', 'spare'],
    writes: true,
    exhausts: true,
  },
  async ({ exhaustible, exhaustibleCompany: company, exhaustibleNote: note, spare, ...context }) => {
    const { clock, limits, make, random, fact } = context;
    const allowance = allowanceOf(limits, exhaustible, 'write');
    const api = context.api.as(exhaustible);
    const desk = new Desk(api, { make, random }, { company: company.id, note: note.id, fields: company.sent });
    const look = accepting(api, 'GET /companies/{company_id}', { path: { company_id: company.id } });
    await limits.room(exhaustible, 'read', 2);
    const twin = await look();
    const tried = await bursts(desk.edit, allowance, { clock, quiet: () => limits.quiet([exhaustible], 'write') });
    await fact('rate-limits-write-allowed', () => expectAllowed(tried));
    await fact('rate-limits-write-enforced', () => expectEnforced(tried));

    const other = otherThan(exhaustible, [context.api.credential, spare]);
    if (other) await limits.room(other, 'write', 1);
    const [unknownCompany, unknownNote] = unknownIds(random, [company.id, note.id]);
    const [read, foreign] = await besideSpent(desk.edit, allowance, [
      look,
      ...(other
        ? [
            accepting(api.as(other), 'DELETE /companies/{company_id}/notes/{note_id}', {
              path: { company_id: unknownCompany, note_id: unknownNote },
            }),
          ]
        : []),
    ]);
    await fact('rate-limits-read-write-apart', () => expectLeftAlone(read, 'a read beside spent writes', twin));
    await fact('rate-limits-accounts-apart', () => expectLeftAlone(foreign, 'key of another account'));

    const answers = await whileSpent(desk.edit, allowance, desk.looks());
    for (const answer of answers.filter(decides)) {
      await fact('rate-limits-every-operation', () => expectRefusedWhileSpent(answer), answer.operation);
    }
    await judgeWords([...tried.last.refused, ...answers], context);
    const remove = accepting(api, 'DELETE /companies/{company_id}/notes/{note_id}', {
      path: { company_id: unknownCompany, note_id: unknownNote },
    });
    await judgeRecovery(desk.edit, allowance, context, remove);
    const seen = await aftermath(api, desk);
    await fact('rate-limits-refused-effect', () => {
      if (!desk.edits.some(({ reply }) => isRefused(reply))) throw new NotTested('no write was refused');
      expectNoEffect(seen, desk, answers);
    });
  },
);
