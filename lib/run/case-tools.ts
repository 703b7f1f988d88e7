// The tools of one attempt at a case: all but its fixtures, its judge and its maker of records.
import type { Case, Tools } from '../case.ts';
import { Client, type Connection, clientPool, poolOf } from '../client/client.ts';
import { type Credential, invalidCredential } from '../client/credential.ts';
import type { Ledger } from '../client/ledger.ts';
import type { Pacing } from '../client/pacing.ts';
import type { Reply } from '../client/reply.ts';
import type { CredentialName, Effort } from '../configuration/settings.ts';
import { type FixtureSource, FixtureStore } from '../fixtures/fixtures.ts';
import type { CredentialStatuses } from '../fixtures/probe.ts';
import type { Maker } from '../fixtures/records.ts';
import { endingWith } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Validating } from './plan.ts';

interface CaseToolsOptions {
  readonly connection: Connection;
  readonly statuses: CredentialStatuses;
  readonly turn: ValidationTurn;
  readonly random: Random;
  readonly secrets: Secrets;
  readonly ledger: Ledger;
  readonly effort: Effort;
  readonly attempt: number;
  readonly signal: AbortSignal;
  /** The case's title, under which its requests are recorded. */
  readonly title: string;
}

const poolsOf = (credentials: readonly Credential[]) => [...new Set(credentials.flatMap(({ accounts }) => accounts))];

export function caseTools(one: Case, options: CaseToolsOptions): Omit<Tools, 'atEnd' | 'make'> {
  const { connection, statuses, turn, random, secrets, ledger, effort, attempt, signal, title } = options;
  const { clock, pacing } = connection;
  const primary = statuses.get('COVENANT_API_KEY');
  if (!primary) throw new Error('no credential status for the primary key');
  return {
    api: new Client(connection, primary.credential, title),
    clock: endingWith(clock, signal),
    random,
    effort,
    attempt,
    limits: {
      reported: (credential, rate) =>
        statuses.get((credential.root ?? credential).name as CredentialName)?.limits[rate],
      quiet: (credentials, rate) =>
        rate === 'validate' ? turn.take(one, signal) : pacing.quiet(poolsOf(credentials), rate, signal),
      room: (credential, rate, count) =>
        pacing.makeRoom(poolOf(credential.accounts, rate).accounts, rate, count, signal),
      free: (credential, rate) => pacing.free(poolOf(credential.accounts, rate).accounts, rate),
      reserve: (credential, rate, count) =>
        pacing.reserve(poolOf(credential.accounts, rate).accounts, rate, count, signal),
      minuteMs: pacing.minuteMs,
    },
    invalid: (name, token) => invalidCredential(secrets, name, token),
    hasOtherKeyOfId: (id, credential) => ledger.hasOtherKeyOfId(String(id), credential),
    switching: (change) => ledger.switching(change),
  };
}

/** The records that a case starts from: the first attempt shares them with all cases, a later one gets its own. */
export function sharedFixtures(connection: Connection, statuses: CredentialStatuses, make: Maker) {
  const store = (maker: Maker) => new FixtureStore(connection, statuses, maker);
  const [first, second] = [store(make), store(make.for('again'))];
  return (one: Case, spare: Credential) =>
    (own: Maker, attempt: number): FixtureSource => {
      const shared = one.again ? second : first;
      return (attempt === 1 ? shared : store(own.for(`fixtures of attempt ${attempt}`))).for(own, spare);
    };
}

/** Cases that will still validate keys. */
class Expected {
  readonly ended: Promise<void>;
  private readonly left = new Map<string, number>();
  private end = () => {};

  constructor() {
    this.ended = new Promise((done) => {
      this.end = done;
    });
  }

  expect(validating: readonly Validating[]): void {
    for (const { title, validations } of validating) this.left.set(title, validations);
    if (this.left.size === 0) this.end();
  }

  /** A case that has sent all its validations no longer holds up others. */
  saw(title: string): void {
    const left = this.left.get(title) ?? 0;
    if (left > 1) this.left.set(title, left - 1);
    else this.close(title);
  }

  close(title: string): void {
    if (this.left.delete(title) && this.left.size === 0) this.end();
  }
}

/**
 * The order of validations: first the cases of sessions, then those that only validate, last those that exceed the
 * limit.
 */
export class ValidationTurn {
  private readonly pacing: Pacing;
  private readonly all = new Expected();
  private readonly ofSessions = new Expected();
  private readonly releases = new Map<Case, () => void>();

  constructor(pacing: Pacing) {
    this.pacing = pacing;
  }

  /** The cases that are known to validate without exceeding the limit, by their titles, and how often. */
  expect(validating: readonly Validating[]): void {
    this.all.expect(validating);
    this.ofSessions.expect(validating.filter(({ ofSession }) => ofSession));
  }

  /** Resolves when no case of a session validates any more. */
  get sessionsValidated(): Promise<void> {
    return this.ofSessions.ended;
  }

  saw({ operation, owner, status }: Reply): void {
    if (operation !== 'POST /auth/validate-api-key' || status === 429) return;
    this.all.saw(owner);
    this.ofSessions.saw(owner);
  }

  /** No other case validates until this one has ended. */
  async take(one: Case, signal?: AbortSignal): Promise<void> {
    await this.all.ended;
    if (!this.releases.has(one)) this.releases.set(one, await this.pacing.hold(clientPool, 'validate', signal));
    await this.pacing.quiet([clientPool], 'validate', signal);
  }

  /** To be called when a case has ended, however it ended. */
  leave(one: Case, title: string): void {
    this.releases.get(one)?.();
    this.all.close(title);
    this.ofSessions.close(title);
  }
}
