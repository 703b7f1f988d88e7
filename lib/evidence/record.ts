// Writes the history of a run as evidence, with a stand-in of the same shape for each secret.
import { createHash } from 'node:crypto';
import type { RecordedHistory } from '../client/recorder.ts';
import type { Reply, Sent } from '../client/reply.ts';
import type { Report } from '../result.ts';
import type { RunInput } from '../run/run-input.ts';
import { defined } from '../runtime/defined.ts';
import { type Random, seededRandom } from '../runtime/random.ts';
import { sha256 } from '../runtime/text.ts';
import { madeBy, shortMax, shownOf } from '../secrets/derivation.ts';
import { cleanHeaders, type Invented, Secrets } from '../secrets/secrets.ts';
import { type Exchange, type Found, format, type Header, interfaceRevision, type SuiteIdentity } from './read.ts';

type Clean = (text: string) => string;

export class Recording {
  private readonly suite: SuiteIdentity;
  private readonly standIns = new StandIns();
  private taken: { readonly history: RecordedHistory; readonly written: Clean } | undefined;
  /** What the run is given so that it is recorded. */
  readonly input: Pick<RunInput, 'secrets' | 'onHistory'> = {
    secrets: this.standIns.secrets,
    // At its end, when all secrets are known.
    onHistory: (history, written) => {
      this.taken = { history, written };
    },
  };

  constructor(suite: SuiteIdentity) {
    this.suite = suite;
  }

  /** Each line with its line break: header, exchanges, what was found, the seal. */
  *lines(report: Report, reportFile: string | Uint8Array): Iterable<string> {
    if (this.taken === undefined) throw new Error('the run has not ended');
    const { history, written } = this.taken;
    const { allowances } = history;
    const clean: Clean = (text) => this.standIns.replace(written(text));
    const header: Header = { format, suite: this.suite, interface: interfaceRevision };
    const found: Found = {
      report,
      sha256OfReport: sha256(reportFile),
      lost: history.lost.map((sent) => ({
        request: cleanRequest(sent, clean),
        ...defined({ after: history.unanswered.get(sent) }),
      })),
      ...(allowances && { allowances: { ...allowances, accounts: Object.fromEntries(allowances.accounts) } }),
    };
    const hash = createHash('sha256');
    function* body(): Iterable<unknown> {
      yield header;
      for (const reply of history.replies) yield cleanExchange(reply, history.judged.has(reply.id), clean);
      yield found;
    }
    for (const one of body()) {
      const line = `${JSON.stringify(one)}\n`;
      hash.update(line);
      yield line;
    }
    yield `${JSON.stringify({ sha256: hash.digest('hex') })}\n`;
  }
}

/** Part by part: what stands in a body need not be escaped a second time. */
const cleanRequest = ({ method, url, headers, body }: Sent, clean: Clean): Sent => ({
  method,
  url: clean(url),
  headers: cleanHeaders(headers, clean),
  ...defined({ body: body === undefined ? undefined : clean(body) }),
});

function cleanExchange({ json: _, ...reply }: Reply, judged: boolean, clean: Clean): Exchange {
  return {
    ...reply,
    request: cleanRequest(reply.request, clean),
    headers: cleanHeaders(reply.headers, clean),
    text: clean(reply.text),
    ...(judged && { judged }),
  };
}

const alphabets = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'] as const;

/** Never the same: with what stays of its beginning a stand-in would be long enough to be taken for the secret. */
function otherThan(random: Random, character: string): string {
  const alphabet = alphabets.find((one) => one.includes(character));
  if (alphabet === undefined) return character;
  const others = alphabet.replace(character, '');
  return others.charAt(random.int(0, others.length - 1));
}

/** Of a signature nothing is shown anywhere. The last character stays: its bits reach into what stands behind it in base64. */
function invented(secret: string, isKey: boolean, random: Random): string {
  const kept = isKey ? shownOf(secret) : 0;
  const last = secret.length > shortMax ? secret.length - 1 : secret.length;
  return [...secret].map((one, at) => (at < kept || at >= last ? one : otherThan(random, one))).join('');
}

/** Of a JWT only the signature is secret. */
function secretPart(value: string): string {
  const parts = value.split('.');
  return value.startsWith('eyJ') && parts.length === 3 ? (parts[2] ?? '') : value;
}

export class StandIns {
  /** What is known to it is replaced, wherever it stands. */
  readonly secrets = new Secrets((name, value, made) => this.of(name, value, made));
  private readonly random = seededRandom(0).derive('stand-ins');
  /** By the name under which the run knows it. */
  private readonly byName = new Map<string, string>();
  private count = 0;

  replace(text: string): string {
    return this.secrets.exchanged(text);
  }

  /** A token derived from secrets gets the same derivation from their stand-ins; one derived from none stays. */
  private of(name: string, value: string, made?: Invented): string {
    const secret = secretPart(value);
    const standIn = made?.derivation
      ? secretPart(madeBy(made.derivation, this.byName))
      : this.standInFor(secret, value);
    const whole = value.replace(secret, () => standIn);
    if (made === undefined) this.byName.set(name, whole);
    this.count += 1;
    return whole;
  }

  /** A piece of a known secret, also backwards or in other letter case, gets that piece of its stand-in. */
  private standInFor(secret: string, value: string): string {
    const piece = this.secrets.exchanged(secret);
    if (piece !== secret) return piece;
    return invented(secret, secret === value, this.random.derive(String(this.count)));
  }
}
