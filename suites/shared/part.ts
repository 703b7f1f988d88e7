// A part in a long way: who plays it, where it writes, and the keys that come and go in it.
import {
  type Api,
  anonymous,
  type Call,
  type MadeKey,
  type OperationId,
  type Reply,
  type Tools,
} from '../../lib/index.ts';
import { switchTo } from '../account/switch.ts';
import { ifPossible } from './attempt.ts';
import { revokeByItself, validCall } from './dead.ts';
import { Desk, type Option, type Room } from './desk.ts';
import { isRevoked, revokeKey } from './keys.ts';
import type { Caller } from './life.ts';
import { deleteNote, editNote } from './note-operations.ts';
import { begin, type Seat } from './outcomes.ts';
import { unknownId } from './steps.ts';
import { validateAs } from './validate.ts';

export interface Role {
  readonly who: string;
  /** Absent: keys play it that are made on the way, revoked on it, and followed by others. */
  readonly caller?: Caller;
  /** The parts that make these keys. */
  readonly makers?: readonly string[];
  /** Where it writes; without one it reads. */
  readonly seat?: Omit<Seat, 'caller'> | undefined;
  /** The account where a session is: going there again moves nothing. */
  readonly home?: string | undefined;
  /** What may stand beside its reads. */
  readonly beside?: readonly Call[];
}

type PartTools = Pick<Tools, 'invalid' | 'make' | 'random'>;

/** A key that plays a part. */
interface Lease {
  readonly maker: Api;
  readonly key: MadeKey;
}

/** One of so many texts that stand alone. */
const textsMax = 100;
/** How long a part is played by nobody, in steps that it might have taken. */
const restMax = 12;

export class Part {
  readonly role: Role;
  private readonly tools: PartTools;
  private readonly others: readonly Part[];
  private readonly room: Room;
  private playedBy: Caller | undefined;
  private made: ({ readonly by: string } & Lease) | undefined;
  private former: Lease | undefined;
  private desk: Desk | undefined;
  private rest = 0;

  /** `others`: all parts, among whom are the makers of its keys. */
  constructor(role: Role, others: readonly Part[], room: Room, tools: PartTools) {
    this.role = role;
    this.others = others;
    this.room = room;
    this.tools = tools;
    this.playedBy = role.caller;
  }

  get caller(): Caller | undefined {
    return this.playedBy;
  }

  get who(): string {
    return this.made ? `${this.role.who}, made by ${this.made.by}` : this.role.who;
  }

  get company(): number | string | undefined {
    return this.desk?.company;
  }

  /** A call that is valid in everything but who sends it; undefined where it has nothing to aim at. */
  callOf(operation: OperationId, mark: string): Call | undefined {
    const { desk, made, role } = this;
    const path = { company_id: desk?.company ?? '', note_id: desk?.note ?? '' };
    if (desk && operation === editNote) return { path, body: { text: mark } };
    if (desk && operation === deleteNote) return { path };
    if (made && operation === 'DELETE /api-keys/{key_id}') return { path: { key_id: made.key.id } };
    return validCall(operation, desk?.company, role.home, mark);
  }

  /** Sits down, with a key where there is none. */
  async begin(place: number): Promise<void> {
    if (this.playedBy === undefined) await this.renew();
    const { caller, role, room, tools } = this;
    if (caller === undefined || role.seat === undefined) return;
    const seat: Seat = { ...role.seat, caller };
    const bench = await begin(seat, tools, place);
    if (bench) this.desk = new Desk(seat, bench, room);
  }

  writes(): readonly Option[] {
    const { caller, role, made, tools } = this;
    if (caller === undefined) return this.vacancy();
    const { home } = role;
    const { random } = tools;
    const switchFor = (what: string, slug: () => unknown): Option => ({
      what,
      ask: ({ api }) => switchTo(api, slug()),
    });
    return [
      ...(this.desk?.options() ?? []),
      ...(home === undefined ? [] : [switchFor('a switch', () => home)]),
      ...(caller.api.credential.kind === 'session' && caller.under === undefined
        ? [
            switchFor('a refused switch: to no account', () => `covenant-${random.uuid()}`),
            switchFor('a refused switch: without a slug', () => undefined),
          ]
        : []),
      // What a key has made may end with it.
      ...(made && !this.others.some((one) => one.comesOf(caller.api)) ? this.revocations(made) : []),
      ...(caller.api.credential.kind === 'key'
        ? [{ what: 'a revocation of nothing: no key', ask: ({ api }: Caller) => revokeKey(api, unknownId(random)) }]
        : []),
    ];
  }

  /** Of its own key, or of the last one that is dead. */
  validations(): readonly Option[] {
    const token = this.caller?.api.credential.kind === 'key' ? this.caller.api.credential.token : undefined;
    const dead = this.former?.key.credential.token;
    const of = (what: string, one: string | undefined): readonly Option[] =>
      one === undefined
        ? []
        : [
            { what: `a validation: ${what}`, ask: ({ api }) => validateAs(api, one) },
            { what: `a validation: ${what}, by nobody`, ask: ({ api }) => validateAs(api.as(anonymous), one) },
          ];
    return [...of('of a live key', token), ...of('of a dead key', dead)];
  }

  /** The token that was revoked last, as one that nobody lets in. */
  dead() {
    const token = this.former?.key.credential.token;
    return token === undefined ? undefined : this.tools.invalid('a revoked key', token);
  }

  async end(): Promise<void> {
    if (this.made) await revokeByItself(this.made.maker, this.made.key.credential, this.made.key.id, this.tools);
  }

  /** Its key is made anew: by another of the makers, perhaps. */
  async renew(): Promise<void> {
    const makers = this.others.filter(({ role, caller }) => caller && this.role.makers?.includes(role.who));
    const [maker] = this.tools.random.shuffled(makers);
    if (maker?.caller === undefined) return;
    const { api } = maker.caller;
    const { make, random } = this.tools;
    const label = random.int(1, 2) === 1 ? make.label('key') : make.wholeText(random.int(0, textsMax));
    const key = await ifPossible(make.key(api, label));
    if (key === undefined) return;
    this.made = { by: maker.who, maker: api, key };
    this.playedBy = { api: api.as(key.credential) };
    this.rest = 0;
  }

  private comesOf({ credential }: Api): boolean {
    return this.made?.maker.credential.name === credential.name;
  }

  private vacancy(): readonly Option[] {
    const anew: Option = { what: 'a key', ask: () => this.renew() };
    this.rest += 1;
    const { former } = this;
    if (former === undefined || this.rest > restMax) return [anew];
    return [anew, { what: 'a revocation of nothing: dead', ask: () => revokeKey(former.maker, former.key.id) }];
  }

  private revocations(lease: Lease): readonly Option[] {
    const { maker, key } = lease;
    const by = (what: string, of: (api: Api) => Api): Option => ({
      what: `a revocation: ${what}`,
      ask: async ({ api }) => this.leave(lease, await revokeKey(of(api), key.id)),
    });
    return [by('by itself', (api) => api), by('by its maker', () => maker)];
  }

  private leave(lease: Lease, reply: Reply): void {
    if (!isRevoked(reply)) return;
    this.former = lease;
    this.made = undefined;
    this.playedBy = undefined;
  }
}
