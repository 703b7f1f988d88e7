// What a step leaves of the notes of a company: compared with the list before it, so that each step answers for itself.
import { type Context, eventuallySeen, identifierOf, NotTested, type Reply } from '../../lib/index.ts';
import type { Attempt } from '../shared/attempt.ts';
import { expectGone, expectNoFurther, expectShown, type NoteList, type ShownNotes, textsOf } from './note-list.ts';

/** What a step is judged by, beside that it leaves the other notes alone. */
const duties = [
  'notes-edit-effect',
  'notes-delete-effect',
  'notes-create-refused-effect',
  'notes-edit-refused-effect',
  'notes-other-company',
] as const;
export const stepIds = [...duties, 'notes-others-untouched'] as const;

interface NoteStep {
  readonly duty: (typeof duties)[number];
  /** The note that it is about. */
  readonly touched?: number;
  /** Its text afterwards; `gone`: it is in the list no more; absent: it is as before. */
  readonly leaves?: string | 'gone';
}

export class NoteSteps {
  readonly home: NoteList;
  private readonly context: Context<(typeof stepIds)[number], never>;
  /** Whether a list shows what was made at all. */
  private readonly trusted: Attempt<unknown>;
  private before: ShownNotes;

  constructor(
    home: NoteList,
    before: ShownNotes,
    trusted: Attempt<unknown>,
    context: Context<(typeof stepIds)[number], never>,
  ) {
    this.home = home;
    this.before = before;
    this.trusted = trusted;
    this.context = context;
  }

  has(id: number): boolean {
    return textsOf(this.before, id).length > 0;
  }

  /** The note, or another one where it has vanished. */
  present(id: number): number {
    const other = this.has(id) ? id : idsIn(this.before)[0];
    if (other === undefined) throw new NotTested('the notes that this starts from are gone');
    return other;
  }

  /** As the list shows it. */
  textOf(id: number): string | undefined {
    const [text] = textsOf(this.before, id);
    return typeof text === 'string' ? text : undefined;
  }

  /** After a write that was not answered as it should be: the next step starts from what the list shows now. */
  async lookAgain(): Promise<void> {
    this.before = await this.home.list();
  }

  /** After a write: looks until the list is right, and judges what it shows; resolves to whether the step's own duty held. */
  async judge(step: NoteStep, reply: Reply): Promise<boolean> {
    const { check, clock } = this.context;
    const former = this.before;
    const after = await eventuallySeen(
      clock,
      reply.receivedAt,
      () => this.home.list(),
      (seen) => holds(() => expectStep(step, former, seen)) && holds(() => expectOthers(step, former, seen)),
    );
    this.before = after;
    const held = holds(() => expectStep(step, former, after));
    await check(step.duty, () => {
      this.trusted.value();
      expectStep(step, former, after);
    });
    await check('notes-others-untouched', () => {
      this.trusted.value();
      expectOthers(step, former, after);
    });
    return held;
  }
}

function holds(expectation: () => void): boolean {
  try {
    expectation();
    return true;
  } catch {
    return false;
  }
}

const idsIn = ({ items }: ShownNotes): readonly number[] =>
  items.map((item) => Number(identifierOf('note', item))).filter(Number.isInteger);

function expectStep({ touched, leaves }: NoteStep, before: ShownNotes, after: ShownNotes): void {
  if (touched !== undefined && leaves === 'gone') expectGone(after, touched, 'the deleted note');
  else if (touched !== undefined)
    expectShown(after, touched, leaves ?? String(textsOf(before, touched)[0]), 'the note');
  expectNoFurther(after, idsIn(before));
}

function expectOthers({ touched }: NoteStep, before: ShownNotes, after: ShownNotes): void {
  for (const id of idsIn(before))
    if (id !== touched) expectShown(after, id, String(textsOf(before, id)[0]), 'another note');
}
