// The replies of a record by what was asked for, for whoever asks in another order or only some of it.
import { at, type Sent } from '../client/reply.ts';
import type { Arrival, Asked, Entry } from './format.ts';

export interface Answer {
  readonly arrival: Arrival;
  /** When it came, on the clock of the recorded run. */
  readonly at: number;
  /** When its request left, on the same clock. */
  readonly askedAt: number;
}

/** What makes one question another: who asked what. */
export const questionOf = (owner: string, { method, url, headers, body = '' }: Sent): string =>
  JSON.stringify([owner, method, url, headers, body]);

/** The operation, whatever record it is about. */
export function routeOf({ method, url }: Pick<Sent, 'method' | 'url'>): string {
  const steps = new URL(url).pathname.split('/').map((step) => (/\d/.test(step) && !/^v\d$/.test(step) ? '{}' : step));
  return `${method} ${steps.join('/')}`;
}

/** The same request with other words in it, to another record, of another case: of reads of the same account only, the nearest first. */
function accountLikenessesOf(owner: string, sent: Sent): readonly string[] {
  const { method, url, headers } = sent;
  if (method !== 'GET') return [];
  const [route, caller, account = ''] = [routeOf(sent), headers.authorization, headers['x-active-account']];
  const nearest = [
    { owner, method, url },
    { owner, route },
    { method, url },
  ];
  return nearest.map((one) => JSON.stringify({ ...one, caller, account }));
}

/** The same request with other words in it, to another record, of another caller, of another case: the nearest first. */
function likenessesOf(owner: string, sent: Sent): readonly string[] {
  const { method, url, headers } = sent;
  const [route, caller] = [routeOf(sent), headers.authorization];
  return [[owner, method, url, caller], [owner, route, caller], [owner, route], [route]].map((one) =>
    JSON.stringify(one),
  );
}

const bodyOf = (owner: string, body: string): string => JSON.stringify([owner, body]);

const answered = (entry: Entry): number | undefined => {
  const n = at(entry, 'reply') ?? at(entry, 'lost') ?? at(entry, 'broke');
  return typeof n === 'number' ? n : undefined;
};

export class RecordedReplies {
  /** The first reading of the clock: when the run began, from which its names and draws follow. */
  readonly startedAt: number;
  private readonly byQuestion = new Map<string, Answer[]>();
  /** Of questions that are alike, the answer that came last. */
  private readonly byLikeness = new Map<string, Answer>();
  private readonly bodies = new Set<string>();

  constructor(entries: readonly Entry[]) {
    this.startedAt = entries[0]?.now?.[0] ?? 0;
    const asked = new Map<number, { readonly entry: Asked; readonly askedAt: number }>();
    const isAsked = (entry: Entry): entry is Asked => 'ask' in entry;
    let now = 0;
    for (const [index, entry] of entries.entries()) {
      for (const since of entry.now ?? []) now += since;
      // The first thing that a run does with a reply is to look at the clock.
      const at = now + (entries[index + 1]?.now?.[0] ?? 0);
      if (isAsked(entry)) {
        asked.set(entry.ask, { entry, askedAt: now });
        this.bodies.add(bodyOf(entry.case, entry.request.body ?? ''));
        continue;
      }
      const of = asked.get(answered(entry) ?? 0);
      if (of) this.add(of.entry, { arrival: entry, at, askedAt: of.askedAt });
    }
  }

  /** The replies to a question, in the order in which they came. */
  to(question: string): readonly Answer[] {
    return this.byQuestion.get(question) ?? [];
  }

  /** Whether it sent such a body. */
  wasSent(owner: string, body: string): boolean {
    return this.bodies.has(bodyOf(owner, body));
  }

  /** The reply that came last to a question like this one; it is handed on at once. */
  like(owner: string, sent: Sent): Answer | undefined {
    const likenesses = [...accountLikenessesOf(owner, sent), ...likenessesOf(owner, sent)];
    const [nearest] = likenesses.flatMap((likeness) => this.byLikeness.get(likeness) ?? []);
    return nearest && { ...nearest, at: 0 };
  }

  private add(asked: Asked, answer: Answer): void {
    for (const likeness of likenessesOf(asked.case, asked.request)) this.byLikeness.set(likeness, answer);
    // A limit that was exceeded says nothing of the account.
    if (at(answer.arrival, 'status') !== 429)
      for (const likeness of accountLikenessesOf(asked.case, asked.request)) this.byLikeness.set(likeness, answer);
    const question = questionOf(asked.case, asked.request);
    const known = this.byQuestion.get(question) ?? [];
    known.push(answer);
    this.byQuestion.set(question, known);
  }
}
