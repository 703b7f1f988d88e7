// An actor of the random walk: who sends its requests, where it writes, and the keys that it makes, uses and revokes.
import {
  type Api,
  anonymous,
  type Call,
  createNote,
  deleteNote,
  editNote,
  type OperationId,
  operations,
  type Reply,
  type Tools,
} from '../../lib/index.ts';
import { plainReads, protectedIds } from '../shared/groups.ts';
import { isRevoked, type Keyed, keyBy, revokeKey } from '../shared/keys.ts';
import { noObjects } from '../shared/no-objects.ts';
import { revokeByItself, validCall } from '../shared/revoked-key.ts';
import { switchTo } from '../shared/switch.ts';
import { validateAs } from '../shared/validate.ts';
import type { Caller } from './caller.ts';
import { NoteActions, type Option, type Room } from './note-actions.ts';
import { fieldsOf } from './sample-reads.ts';
import { begin, type Workspace } from './scripted-writes.ts';
import { unknownId } from './write-actions.ts';

export interface ActorRole {
  readonly who: string;
  /** Absent: it acts by keys that are made in the run, one after the other, each revoked before the next. */
  readonly caller?: Caller;
  /** The actors that make these keys. */
  readonly makers?: readonly string[];
  /** Where it writes; without one it reads. */
  readonly site?: Omit<Workspace, 'caller'> | undefined;
  /** The account where a session is: going there again moves nothing. */
  readonly home?: string | undefined;
  /** Another account of a session. */
  readonly elsewhere?: string;
  /** What may stand beside its reads. */
  readonly beside?: readonly Call[];
}

type ActorTools = Pick<Tools, 'invalid' | 'make' | 'random'>;

/** A key that an actor acts by, and who made it. */
interface HeldKey {
  readonly maker: Api;
  readonly key: Keyed;
}

/** One of so many texts that stand alone. */
const textsMax = 100;
/** How long an actor has no key, and keeps one at least, in steps that it might have taken. */
const restMax = 12;
const turnsMin = 12;
/** So many reads come right after a switch. */
const looksMax = 3;
type Read = readonly [operation: OperationId, call: Call];
const readsIn = (random: Tools['random']): readonly Read[] => [
  ...plainReads.map((id): Read => [id, {}]),
  ['GET /contacts', { query: { limit: random.int(1, 3), fields: random.pick(fieldsOf['GET /contacts']) } }],
  ['GET /companies', { query: { limit: 2, fields: random.pick(fieldsOf['GET /companies']) } }],
];

const bodied = protectedIds.filter((id) => operations[id].body);

export class Actor {
  readonly role: ActorRole;
  private readonly tools: ActorTools;
  private readonly others: readonly Actor[];
  private readonly room: Room;
  private current: Caller | undefined;
  private made: ({ readonly by: string } & HeldKey) | undefined;
  private former: HeldKey | undefined;
  private notes: NoteActions | undefined;
  private rest = 0;
  private turns = 0;
  /** What is not yet read right after a switch. */
  private looks: Read[] = [];

  /** `others`: all actors, among whom are the makers of its keys. */
  constructor(role: ActorRole, others: readonly Actor[], room: Room, tools: ActorTools) {
    this.role = role;
    this.others = others;
    this.room = room;
    this.tools = tools;
    this.current = role.caller;
  }

  get caller(): Caller | undefined {
    return this.current;
  }

  get who(): string {
    return this.made ? `${this.role.who}, made by ${this.made.by}` : this.role.who;
  }

  get company(): number | string | undefined {
    return this.notes?.company;
  }

  /** A call that is valid in everything but who sends it; undefined where it has nothing to aim at. */
  callOf(operation: OperationId, mark: string): Call | undefined {
    const { notes, made, role } = this;
    const path = { company_id: notes?.company ?? '', note_id: notes?.note ?? '' };
    if (notes && operation === editNote) return { path, body: { text: mark } };
    if (notes && operation === deleteNote) return { path };
    if (made && operation === 'DELETE /api-keys/{key_id}') return { path: { key_id: made.key.id ?? '' } };
    return validCall(operation, notes?.company, role.home, mark);
  }

  /** Makes its key where it has none, and a note to start from. */
  async begin(place: number): Promise<void> {
    if (this.current === undefined) await this.renew();
    const { caller, role, room, tools } = this;
    if (caller === undefined || role.site === undefined) return;
    const site: Workspace = { ...role.site, caller };
    const workspace = await begin(site, tools, place);
    if (workspace) this.notes = new NoteActions(site, workspace, room);
  }

  writes(): readonly Option[] {
    const { caller, role, made, tools } = this;
    if (caller === undefined) return this.withoutKey();
    this.turns += 1;
    const { home } = role;
    const { random } = tools;
    const switchFor = (what: string, slug: () => unknown): Option => ({
      what,
      ask: async ({ api }) => {
        await switchTo(api, slug());
        if (random.int(1, 2) === 1) await this.lookElsewhere(api);
      },
    });
    return [
      ...(this.notes?.options() ?? []),
      ...this.damaged(),
      ...(home === undefined ? [] : [switchFor('a switch', () => home)]),
      ...(caller.api.credential.kind === 'session' && caller.under === undefined
        ? [
            switchFor('a refused switch: to no account', () => `covenant-${random.uuid()}`),
            switchFor('a refused switch: without a slug', () => undefined),
          ]
        : []),
      ...(made && this.mayLeave(caller) ? this.revocations(made) : []),
      ...(caller.api.credential.kind === 'key'
        ? [{ what: 'a revocation of nothing: no key', ask: ({ api }: Caller) => revokeKey(api, unknownId(random)) }]
        : []),
    ];
  }

  /** The header wins over what was just switched to, whatever is asked for. */
  private async lookElsewhere(api: Api): Promise<void> {
    const { elsewhere: account } = this.role;
    if (account === undefined) return;
    const { random } = this.tools;
    for (let look = 0; look < looksMax; look += 1) {
      if (this.looks.length === 0) this.looks = random.shuffled(readsIn(random));
      const [operation, call] = this.looks.pop() ?? ['GET /me', {}];
      await api.send(operation, { ...call, account });
    }
  }

  /** Bodies that are not JSON to whatever it may write, and no objects to its notes. */
  private damaged(): readonly Option[] {
    const { random } = this.tools;
    const send = (operation: OperationId, textOf: (body: unknown) => string) => async (caller: Caller) => {
      const { body, path } = this.callOf(operation, 'damaged') ?? {};
      const where = path === undefined ? {} : { path };
      return caller.api.send(operation, { ...caller.under, ...where, text: textOf(body ?? {}), undocumented: true });
    };
    const cut = (body: unknown): string => JSON.stringify(body).slice(0, random.pick([-1, -2, 1]));
    const others = this.notes === undefined ? [] : ([createNote, editNote] as const);
    return [
      ...bodied
        .filter((id) => this.callOf(id, ''))
        .map((id): Option => ({ what: `no JSON: ${id}`, ask: send(id, cut) })),
      ...others.map((id): Option => ({ what: `no object: ${id}`, ask: send(id, () => random.pick(noObjects)) })),
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
    const label = random.int(1, 3) > 1 ? make.label('key') : make.wholeText(random.int(0, textsMax));
    const key = await keyBy(api, label, make);
    if (key === undefined) return;
    this.made = { by: maker.who, maker: api, key };
    this.current = { api: api.as(key.credential) };
    this.rest = 0;
    this.turns = 0;
  }

  /** Others can be made by it in its time; what a key has made may end with it. */
  private mayLeave({ api }: Caller): boolean {
    return this.turns > turnsMin && !this.others.some((one) => one.comesOf(api));
  }

  private comesOf({ credential }: Api): boolean {
    return this.made?.maker.credential.name === credential.name;
  }

  private withoutKey(): readonly Option[] {
    const anew: Option = { what: 'a key', ask: () => this.renew() };
    this.rest += 1;
    const { former } = this;
    if (former === undefined || this.rest > restMax) return [anew];
    return [anew, { what: 'a revocation of nothing: dead', ask: () => revokeKey(former.maker, former.key.id) }];
  }

  private revocations(held: HeldKey): readonly Option[] {
    const { maker, key } = held;
    const by = (what: string, of: (api: Api) => Api): Option => ({
      what: `a revocation: ${what}`,
      ask: async ({ api }) => this.leave(held, await revokeKey(of(api), key.id)),
    });
    return [by('by itself', (api) => api), by('by its maker', () => maker)];
  }

  private async leave(held: HeldKey, reply: Reply): Promise<void> {
    if (!isRevoked(reply)) return;
    this.former = held;
    this.made = undefined;
    this.current = undefined;
    // It is gone, whoever asks.
    await revokeKey(held.maker, held.key.id);
  }
}
