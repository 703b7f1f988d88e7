// Writes the history of a run as evidence, with something of the same shape in place of each secret.
import { createHash } from 'node:crypto';
import type { RecordedHistory } from '../client/recorder.ts';
import type { Reply, Sent } from '../client/reply.ts';
import type { Report } from '../result.ts';
import type { RunInput } from '../run/run-input.ts';
import { defined } from '../runtime/defined.ts';
import { sha256 } from '../runtime/text.ts';
import { cleanHeaders } from '../secrets/secrets.ts';
import { type Exchange, type Found, format, type Header, interfaceRevision, type SuiteIdentity } from './format.ts';
import { StandIns } from './stand-ins.ts';

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
