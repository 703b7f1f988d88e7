// The writes of an account exhausted, by edits of one note: what is refused then was not carried out.
import {
  type Api,
  type Call,
  type Company,
  conforms,
  expectSuccess,
  expectThat,
  isObject,
  type JsonObject,
  type Note,
  NotTested,
  type OperationId,
  type Reply,
  type Tools,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { carries } from '../shared/search.ts';
import { unknownIds } from '../shared/unknown.ts';
import { allowanceOf, bursts, expectAllowed, expectEnforced, isRefused, type Send } from './burst.ts';
import { accepting, decisive, expectLeftAlone, expectRefusedWhileSpent, otherThan } from './reads.ts';
import { judgeRecovery, judgeWords, wordIds } from './refusals.ts';
import { besideSpent, whileSpent } from './spent.ts';

/** A write, and the text that it would leave behind; each has a text of its own. */
interface Written {
  readonly text: string;
  readonly reply: Reply;
}

/** The company and its note that are written to, and every write. */
class Writer {
  readonly written: Written[] = [];
  readonly company: Company;
  private readonly note: Note;
  private readonly api: Api;
  private readonly make: Tools['make'];
  private readonly random: Tools['random'];

  constructor(api: Api, { make, random }: Pick<Tools, 'make' | 'random'>, company: Company, note: Note) {
    this.api = api;
    this.make = make;
    this.random = random;
    this.company = company;
    this.note = note;
  }

  /** Edits the note, each time to another text. */
  get edit(): Send {
    const path = { company_id: this.company.id, note_id: this.note.id };
    return this.writing('PATCH /companies/{company_id}/notes/{note_id}', (text) => ({ text }), path);
  }

  /** One of each writing operation, valid in everything; what it would delete or switch to does not exist. */
  looks(): readonly Send[] {
    const { api, company } = this;
    const path = { company_id: company.id };
    const [unknown] = unknownIds(this.random, [company.id, this.note.id]);
    const contact = { contact_type: 'lender_contact', company_id: company.id };
    return [
      this.edit,
      accepting(api, 'PATCH /me/active-account', { body: { slug: `covenant-${unknown}` } }),
      this.writing('POST /api-keys', (label) => ({ label })),
      accepting(api, 'DELETE /api-keys/{key_id}', { path: { key_id: unknown } }),
      this.writing('POST /companies', (name) => ({ name, company_type: 'lender' })),
      this.writing('PATCH /companies/{company_id}', (name) => ({ ...company.sent, name }), path),
      this.writing('POST /companies/{company_id}/notes', (text) => ({ text }), path),
      accepting(api, 'DELETE /companies/{company_id}/notes/{note_id}', { path: { ...path, note_id: unknown } }),
      this.writing('POST /contacts', (last_name) => ({ ...contact, last_name })),
    ];
  }

  private writing(operation: OperationId, body: (text: string) => JsonObject, path: Call['path'] = {}): Send {
    return async () => {
      const text = this.make.name('write of a burst');
      const reply = await this.api.send(operation, { path, body: body(text), throttle: 'accept' });
      this.written.push({ text, reply });
      // Should a key be made after all, its text is kept out of every report.
      if (operation === 'POST /api-keys' && wasAccepted(reply)) this.make.credential(this.api.credential, reply);
      return reply;
    };
  }
}

/** What there is after the refusals. */
async function aftermath(api: Api, { company }: Writer): Promise<readonly Reply[]> {
  const path = { company_id: company.id };
  const query = { limit: 150 };
  const replies = [
    await api.send('GET /companies/{company_id}', { path }),
    await api.send('GET /companies/{company_id}/notes', { path, query }),
    await api.send('GET /companies', { query }),
    await api.send('GET /contacts', { query }),
    await api.send('GET /api-keys', { query }),
  ];
  for (const reply of replies) expectSuccess(reply);
  return replies;
}

/** No reply shows a text that was sent with a refused write. */
function expectNoEffect(seen: readonly Reply[], { written }: Writer): void {
  const refused = written.filter(({ reply }) => isRefused(reply));
  if (refused.length === 0) throw new NotTested('no write was refused');
  const effects = refused.flatMap((one) =>
    seen
      .filter(({ text, json }) => text.includes(one.text) && isObject(json) && carries(json, one.text))
      .map((place) => ({ ...one, place, effect: `"${one.text}" appears in ${place.operation}` })),
  );
  expectThat(effects.length === 0, 'a refused write should not be carried out', {
    expected: 'nothing of what was refused',
    actual: effects.map(({ effect }) => effect).join('; '),
    replies: effects.flatMap(({ reply, place }) => [reply, place]).slice(0, 4),
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
    const { clock, limits, make, random, check } = context;
    const allowance = allowanceOf(limits, exhaustible, 'write');
    const api = context.api.as(exhaustible);
    const writer = new Writer(api, { make, random }, company, note);
    const look = accepting(api, 'GET /companies/{company_id}', { path: { company_id: company.id } });
    await limits.room(exhaustible, 'read', 2);
    const control = await look();
    const tried = await bursts(writer.edit, allowance, { clock, quiet: () => limits.quiet([exhaustible], 'write') });
    await check('rate-limits-write-allowed', () => expectAllowed(tried));
    await check('rate-limits-write-enforced', () => expectEnforced(tried));

    const other = otherThan(exhaustible, [context.api.credential, spare]);
    if (other) await limits.room(other, 'write', 1);
    const [unknownCompany, unknownNote] = unknownIds(random, [company.id, note.id]);
    const [read, foreign] = await besideSpent(writer.edit, allowance, [
      look,
      ...(other
        ? [
            accepting(api.as(other), 'DELETE /companies/{company_id}/notes/{note_id}', {
              path: { company_id: unknownCompany, note_id: unknownNote },
            }),
          ]
        : []),
    ]);
    await check('rate-limits-read-write-apart', () => expectLeftAlone(read, 'a read beside spent writes', control));
    await check('rate-limits-accounts-apart', () => expectLeftAlone(foreign, 'key of another account'));

    const answers = decisive(await whileSpent(writer.edit, allowance, writer.looks()));
    for (const answer of answers) {
      await check('rate-limits-every-operation', () => expectRefusedWhileSpent(answer), answer.operation);
    }
    await judgeWords([...tried.last.refused, ...answers], context);
    const remove = accepting(api, 'DELETE /companies/{company_id}/notes/{note_id}', {
      path: { company_id: unknownCompany, note_id: unknownNote },
    });
    await judgeRecovery(writer.edit, allowance, context, remove);
    const seen = await aftermath(api, writer);
    await check('rate-limits-refused-effect', () => expectNoEffect(seen, writer));
  },
);
