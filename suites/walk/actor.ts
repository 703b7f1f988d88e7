// An actor of the random walk: its credential, where it writes, and the keys that it makes, uses and revokes.
import {
  type Api,
  anonymous,
  type Call,
  type Credential,
  createNote,
  editNote,
  type OperationId,
  operations,
  type Reply,
  type Tools,
} from '../../lib/index.ts';
import { protectedIds } from '../shared/groups.ts';
import { noObjects } from '../shared/invalid-texts.ts';
import { isRevoked, type Keyed, keyBy, revokeByItself, revokedName, revokeKey } from '../shared/keys.ts';
import { validCall } from '../shared/refusals.ts';
import { switchTo } from '../shared/switch.ts';
import { validateAs } from '../shared/validate.ts';
import { type Caller, readsAfterWriteBy, unknownId } from './reads.ts';
import type { Destination } from './record-generators.ts';
import { begin, isPossible, type Workspace, writeActions } from './write-actions.ts';

export interface ActorRole {
  readonly name: string;
  /** Undefined: it uses keys made during the run, one at a time, each revoked before the next is made. */
  readonly caller?: Caller;
  /** Names of the actors that make these keys. */
  readonly makers?: readonly string[];
  /** The company that it writes to, if any. */
  readonly destination?: Pick<Destination, 'company' | 'isShared'> | undefined;
  /** The slug of a session's active account: a switch to it changes nothing. */
  readonly activeAccount?: string | undefined;
  /** Another account of a session, for X-Active-Account. */
  readonly otherAccount?: string;
  /** Optional headers for its reads. */
  readonly optionalHeaders?: readonly Call[];
}

/** A request that may be sent: a label (kind, variant after a colon), and the function that sends it. */
export type Option = readonly [what: string, ask: (caller: Caller) => Promise<unknown>];

/** The key that an actor uses, and who made it. */
interface HeldKey extends Keyed {
  readonly by: string;
  readonly maker: Api;
}

/** Number of different texts used as labels. */
const textsMax = 100;
/** The longest time without a key and the shortest with one, in steps that it might have taken. */
const withoutKeyMax = 12;
const withKeyMin = 12;
/** Number of reads right after a switch. */
const readsAfterSwitch = 3;

const bodied = protectedIds.filter((id) => operations[id].body);

export class Actor {
  readonly role: ActorRole;
  caller: Caller | undefined;
  private readonly others: readonly Actor[];
  private readonly tools: Pick<Tools, 'invalid' | 'make' | 'random'>;
  /** Where it will write; undefined once it has begun. */
  private destination: Destination | undefined;
  private workspace: Workspace | undefined;
  private held: HeldKey | undefined;
  private former: HeldKey | undefined;
  /** Steps since it got its key, or lost it. */
  private steps = 0;

  /** `others`: all actors, including the makers of its keys; `budget`: that of the whole walk. */
  constructor(role: ActorRole, others: readonly Actor[], budget: Destination['budget'], tools: Actor['tools']) {
    this.role = role;
    this.destination = role.destination && { ...role.destination, ...tools, budget };
    this.caller = role.caller;
    this.others = others;
    this.tools = tools;
  }

  get name(): string {
    return this.held ? `${this.role.name}, made by ${this.held.by}` : this.role.name;
  }

  get company(): number | string | undefined {
    return this.workspace?.destination.company.id;
  }

  async end(): Promise<void> {
    if (this.held) await revokeByItself(this.held.maker, this.held.credential, this.held.id, this.tools);
  }

  /** A call that is valid except for its sender; undefined if the actor has no record for it. */
  callOf(operation: OperationId, mark: string): Call | undefined {
    const { held: key, role, workspace } = this;
    const records = workspace && { company: { id: workspace.destination.company.id }, note: { id: workspace.note } };
    return validCall(operation, { ...records, key, slug: role.activeAccount }, mark);
  }

  /** The token that was revoked last, as an invalid credential. */
  revoked(): readonly Credential[] {
    const { token } = this.former?.credential ?? {};
    return token === undefined ? [] : [this.tools.invalid(revokedName, token)];
  }

  writes(): readonly Option[] {
    const { caller, workspace } = this;
    this.steps += 1;
    if (caller === undefined) return this.withoutKey();
    const { destination } = this;
    if (destination) return [['a first note', (by) => this.begin(destination, by)]];
    const actions = workspace ? writeActions.filter((one) => isPossible(one, workspace)) : [];
    return [
      ...actions.map((one): Option => [one[0], async (by) => workspace?.send(one, by)]),
      ...this.damaged(),
      ...(caller.api.credential.kind === 'session' ? this.switches(caller) : this.revocations(caller)),
    ];
  }

  private async begin(destination: Destination, caller: Caller): Promise<void> {
    this.destination = undefined;
    this.workspace = await begin(destination, caller);
  }

  /** Validations of its own key, or of the one revoked last. */
  validations(): readonly Option[] {
    const { credential } = this.caller?.api ?? {};
    const live = credential?.kind === 'key' ? credential.token : undefined;
    const tokens = { 'of a live key': live, 'of a revoked key': this.former?.credential.token };
    return Object.entries(tokens)
      .filter(([, token]) => token !== undefined)
      .flatMap(([what, token]): readonly Option[] => [
        [`a validation: ${what}`, ({ api }) => validateAs(api, token)],
        [`a validation: ${what}, by nobody`, ({ api }) => validateAs(api.as(anonymous), token)],
      ]);
  }

  /** Writes with a body that is not JSON, and note writes with a body that is no object. */
  private damaged(): readonly Option[] {
    const { random } = this.tools;
    const option = (what: string, operation: OperationId, textOf: (body: unknown) => string): Option => [
      `${what}: ${operation}`,
      ({ api, under }) => {
        const { body = {}, path = {} } = this.callOf(operation, 'damaged') ?? {};
        return api.send(operation, { ...under, path, text: textOf(body), undocumented: true });
      },
    ];
    const cut = (body: unknown): string => JSON.stringify(body).slice(0, random.pick([-1, -2, 1]));
    const notes = this.workspace ? ([createNote, editNote] as const) : [];
    return [
      ...bodied.filter((id) => this.callOf(id, '')).map((id) => option('no JSON', id, cut)),
      ...notes.map((id) => option('no object', id, () => random.pick(noObjects))),
    ];
  }

  /** Switches to the account that is already active, and switches that must be refused. */
  private switches({ under }: Caller): readonly Option[] {
    const { activeAccount, otherAccount: account } = this.role;
    const { random } = this.tools;
    const option = (what: string, slugOf: () => unknown): Option => [
      what,
      async ({ api }) => {
        await switchTo(api, slugOf());
        if (account === undefined || random.int(1, 2) === 1) return;
        // The header takes precedence over the switch just made, whatever the request.
        await readsAfterWriteBy(api, { random, effort: 'thorough' }, { account })(readsAfterSwitch);
      },
    ];
    const refused = [
      option('a refused switch: to no account', () => `covenant-${random.uuid().slice(0, 8)}`),
      option('a refused switch: without a slug', () => undefined),
    ];
    return [
      ...(activeAccount === undefined ? [] : [option('a switch', () => activeAccount)]),
      ...(under ? [] : refused),
    ];
  }

  private revocations({ api: { credential } }: Caller): readonly Option[] {
    const { held, tools } = this;
    // Keep a key while other actors use keys that it created: they may end with it.
    const isMaker = this.others.some((one) => one.held?.maker.credential.name === credential.name);
    const revoked = async (key: HeldKey, by: Api): Promise<void> => this.leave(key, await revokeKey(by, key.id));
    const none: Option = ['a revocation of nothing: no key', ({ api }) => revokeKey(api, unknownId(tools.random))];
    if (held === undefined || isMaker || this.steps <= withKeyMin) return [none];
    return [
      none,
      ['a revocation: by itself', ({ api }) => revoked(held, api)],
      ['a revocation: by its maker', () => revoked(held, held.maker)],
    ];
  }

  private async leave(key: HeldKey, reply: Reply): Promise<void> {
    if (!isRevoked(reply)) return;
    this.former = key;
    this.held = undefined;
    this.caller = undefined;
    this.steps = 0;
    // The key must be gone for its maker too.
    await revokeKey(key.maker, key.id);
  }

  private withoutKey(): readonly Option[] {
    const { former, steps } = this;
    const anew: Option = ['a key', () => this.renew()];
    if (former === undefined || steps > withoutKeyMax) return [anew];
    return [anew, ['a revocation of nothing: revoked', () => revokeKey(former.maker, former.id)]];
  }

  /** Gets a new key from a random one of its makers. */
  private async renew(): Promise<void> {
    const { make, random } = this.tools;
    const [by] = random.shuffled(this.others.filter((one) => one.caller && this.role.makers?.includes(one.role.name)));
    if (by?.caller === undefined) return;
    const maker = by.caller.api;
    const label = random.int(1, 3) > 1 ? make.label('key') : make.wholeText(random.int(0, textsMax));
    const key = await keyBy(maker, label, make);
    if (key === undefined) return;
    this.held = { ...key, by: by.name, maker };
    this.caller = { api: maker.as(key.credential) };
    this.steps = 0;
  }
}
