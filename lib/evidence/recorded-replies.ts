// The replies of a record by what was asked for, for whoever asks in another order or only some of it.
import { at, type Sent } from '../client/reply.ts';
import type { Arrival, Asked, Entry } from './format.ts';

export interface Answer {
  readonly arrival: Arrival;
  /** When it came, on the clock of the recorded run. */
  readonly at: number;
}

/** What makes one question another: who asked what. */
export const questionOf = (owner: string, { method, url, headers, body = '' }: Sent): string =>
  JSON.stringify([owner, method, url, headers, body]);

const answered = (entry: Entry): number | undefined => {
  const n = at(entry, 'reply') ?? at(entry, 'lost') ?? at(entry, 'broke');
  return typeof n === 'number' ? n : undefined;
};

export class RecordedReplies {
  /** The first reading of the clock: when the run began. */
  readonly startedAt: number;
  private readonly byQuestion = new Map<string, Answer[]>();

  constructor(entries: readonly Entry[]) {
    this.startedAt = entries[0]?.now?.[0] ?? 0;
    const questions = new Map<number, string>();
    const isAsked = (entry: Entry): entry is Asked => 'ask' in entry;
    let now = 0;
    for (const entry of entries) {
      for (const since of entry.now ?? []) now += since;
      if (isAsked(entry)) questions.set(entry.ask, questionOf(entry.case, entry.request));
      const question = questions.get(answered(entry) ?? 0);
      if (question !== undefined && !isAsked(entry)) this.add(question, { arrival: entry, at: now });
    }
  }

  /** The replies to a question, in the order in which they came. */
  to(question: string): readonly Answer[] {
    return this.byQuestion.get(question) ?? [];
  }

  private add(question: string, answer: Answer): void {
    const known = this.byQuestion.get(question) ?? [];
    known.push(answer);
    this.byQuestion.set(question, known);
  }
}
