// Records a run: everything that comes in through its seam, in the order in which the run takes notice of it.
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Sent } from '../client/reply.ts';
import { NoReply, type Transport } from '../client/transports/transport.ts';
import type { Settings, Target } from '../configuration/settings.ts';
import type { Report } from '../result.ts';
import type { Clock } from '../runtime/clock.ts';
import { sha256 } from '../runtime/digest.ts';
import { cleanHeaders, type Secrets } from '../secrets/secrets.ts';
import {
  type Arrival,
  type Asked,
  type Found,
  format,
  type Header,
  interfaceRevision,
  type SuiteIdentity,
} from './format.ts';
import { followingFrom, givenOf } from './given.ts';
import { named } from './named.ts';
import { StandIns } from './stand-ins.ts';

/** Replies are held back for so many lines: a secret that one shows may be known as such only by the next. */
const heldBack = 64;
/** Lines are cleaned and written so many at a time, or so many characters: one by one, among all else that a run does, each takes longer. */
const burstLines = 256;
const burstCharacters = 1_048_576;

export interface Seam {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

/** What a recorded run is given in place of its seam. */
export interface RecordedSeam extends Seam {
  readonly secrets: Secrets;
}

export interface Recorded {
  readonly suite: SuiteIdentity;
  readonly settings: Settings;
  readonly target: Target;
}

/** Lines are handed on, and counted into the seal, in pieces of at most so many bytes, unless one is longer: packing small ones takes longer. */
const pieceSize = 524_288;
/** The bytes of a character, at most. */
const bytesMax = 3;
const lineBreak = 0x0a;

/** A request on its way into the record: as it was sent, until it is written with the names of what it shows. */
interface Leaving {
  readonly asked: Omit<Asked, 'request'>;
  readonly sent: Sent;
  line?: string;
}

/**
 * Each only when all that came before has had its effect: that is promises, and none is left once the next immediate
 * comes. Those of one turn of the event loop are handed on in that turn, or a run would take twice as many.
 */
const inTurn = (handOn: () => void): void => void setImmediate(handOn);

type Held = Leaving | { readonly arrival: Arrival };

/** Writes the lines of one evidence file; `write` gets some at a time, each with its line break, clean of secrets. */
export class Recording {
  private readonly write: (lines: Uint8Array) => void;
  private readonly hash = createHash('sha256');
  private readonly standIns = new StandIns(() => this.nameAll());
  private readonly secrets = this.standIns.secrets;
  private held: Held[] = [];
  private heldCharacters = 0;
  private unnamed: Leaving[] = [];
  private readonly given: Readonly<Record<string, string>>;
  private piece = Buffer.allocUnsafe(pieceSize);
  /** Bytes of the piece. */
  private written = 0;
  private now: number[] = [];
  private last = 0;
  private asked = 0;
  private sleeps = 0;

  constructor({ suite, settings, target }: Recorded, write: (lines: Uint8Array) => void) {
    this.write = write;
    const { credentials, ...rest } = target;
    for (const [name, token] of Object.entries(credentials)) this.secrets.add(name, token);
    const header: Header = {
      format,
      suite,
      interface: interfaceRevision,
      settings,
      target: rest,
      credentials: Object.fromEntries(
        Object.entries(credentials).map(([name, token]) => [name, this.standIns.replace(token)]),
      ),
    };
    this.given = givenOf(header);
    this.emit(JSON.stringify(header));
  }

  /** The same way in and out, with every arrival written down; each is handed on only when the one before has had its effect. */
  through(seam: Seam): RecordedSeam {
    return {
      transport: this.transport(seam.transport),
      clock: this.clock(seam.clock),
      secrets: this.secrets,
      ...(seam.signal === undefined ? {} : { signal: this.signal(seam.signal) }),
    };
  }

  /** After the run: what was found, and the seal. */
  finish(report: Report, reportFile: string | Uint8Array): void {
    const found: Found = {
      ...this.readings(),
      verdict: report.verdict,
      verdicts: Object.fromEntries(report.requirements.map(({ id, verdict }) => [id, verdict])),
      report: sha256(reportFile),
      given: this.given,
      follows: followingFrom(this.given, report),
      tokens: Object.fromEntries(this.secrets.recipes),
    };
    this.release(0);
    this.emit(JSON.stringify(found));
    this.handOn();
    this.write(Buffer.from(`${JSON.stringify({ sha256: this.hash.digest('hex') })}\n`));
  }

  private transport(send: Transport): Transport {
    return (sent, limits) =>
      new Promise((resolve, reject) => {
        this.asked += 1;
        const n = this.asked;
        const leaving: Leaving = { asked: { ask: n, ...this.readings(), case: limits.owner ?? '' }, sent };
        this.unnamed.push(leaving);
        this.hold(leaving, sent.body);
        const lost = (error: unknown): Arrival =>
          error instanceof NoReply
            ? { lost: n, why: error.message }
            : { broke: n, error: errorName(error), why: error instanceof Error ? error.message : String(error) };
        send(sent, limits).then(
          (wire) => this.arrives({ reply: n, ...wire }, () => resolve(wire)),
          (error) => this.arrives(lost(error), () => reject(error)),
        );
      });
  }

  private clock(inner: Clock): Clock {
    return {
      now: () => {
        const now = inner.now();
        this.now.push(now - this.last);
        this.last = now;
        return now;
      },
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          if (signal?.aborted) return reject(signal.reason);
          this.sleeps += 1;
          const n = this.sleeps;
          const onAbort = () => reject(signal?.reason);
          signal?.addEventListener('abort', onAbort, { once: true });
          inner.sleep(ms, signal).then(
            () => {
              inTurn(() => {
                if (signal?.aborted) return;
                signal?.removeEventListener('abort', onAbort);
                this.note({ slept: n });
                resolve();
              });
            },
            () => {},
          );
        }),
    };
  }

  private signal(outer: AbortSignal): AbortSignal {
    const controller = new AbortController();
    setMaxListeners(0, controller.signal);
    const stop = () => {
      const why = outer.reason instanceof Error ? outer.reason.message : String(outer.reason);
      this.arrives({ stopped: why }, () => controller.abort(outer.reason));
    };
    if (outer.aborted) stop();
    else outer.addEventListener('abort', stop, { once: true });
    return controller.signal;
  }

  private arrives(arrival: Arrival, handOn: () => void): void {
    inTurn(() => {
      this.note(arrival);
      handOn();
    });
  }

  private note(arrival: Arrival): void {
    // Each arrival is an object of its own, and there are thousands: no second one for each.
    this.hold({ arrival: Object.assign(arrival, this.readings()) }, 'reply' in arrival ? arrival.body : '');
  }

  private readings(): { readonly now?: readonly number[] } {
    const now = this.now;
    this.now = [];
    return now.length === 0 ? {} : { now };
  }

  private hold(held: Held, body = ''): void {
    this.held.push(held);
    this.heldCharacters += body.length;
    if (this.held.length >= heldBack + burstLines || this.heldCharacters >= burstCharacters) this.release(heldBack);
  }

  private release(most: number): void {
    this.nameAll();
    const lines = this.held.slice(0, Math.max(0, this.held.length - most));
    this.held = this.held.slice(lines.length);
    this.heldCharacters = 0;
    for (const one of lines) this.emit('arrival' in one ? this.cleaned(one.arrival) : (one.line ?? ''));
  }

  /** With what is known of secrets so far: what comes later must not change how a request was written. */
  private nameAll(): void {
    const leaving = this.unnamed;
    this.unnamed = [];
    for (const one of leaving) one.line = this.named(one);
  }

  private named({ asked, sent }: Leaving): string {
    return JSON.stringify({ ...asked, request: named(sent, (text) => this.secrets.redact(text)) });
  }

  /** Part by part: what stands in a body need not be escaped a second time. */
  private cleaned(arrival: Arrival): string {
    const clean = (text: string): string => this.standIns.replace(text);
    if (!('reply' in arrival)) return clean(JSON.stringify(arrival));
    return JSON.stringify({ ...arrival, headers: cleanHeaders(arrival.headers, clean), body: clean(arrival.body) });
  }

  private emit(line: string): void {
    if (this.written + bytesMax * line.length >= this.piece.length) this.handOn(Buffer.byteLength(line) + 1);
    this.written += this.piece.write(line, this.written);
    this.written = this.piece.writeUInt8(lineBreak, this.written);
  }

  /** What is handed on is still being packed when the next piece is begun, in which there is room for so many bytes at least. */
  private handOn(least = 0): void {
    const bytes = this.piece.subarray(0, this.written);
    this.piece = Buffer.allocUnsafe(Math.max(pieceSize, least));
    this.written = 0;
    this.hash.update(bytes);
    this.write(bytes);
  }
}

const errorName = (error: unknown): string => (error instanceof Error ? error.name : 'Error');
