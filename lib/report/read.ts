// Reads a report.json back: only what this version understands, with every optional part filled in.
import { defaultProfile } from '../catalogue/profiles.ts';
import { at } from '../client/reply.ts';
import { jsonIn } from '../configuration/checked.ts';
import { UsageError } from '../configuration/settings.ts';
import type { Report, RunOptions } from '../result.ts';
import { violations } from '../schema/schema.ts';

const format = 'covenant-report/1';

const nothingFiltered: RunOptions = {
  area: null,
  requirement: null,
  read_only: false,
  exhaustion: true,
  allow_incomplete: false,
  concurrency: 1,
  effort: 'standard',
  profile: defaultProfile,
};

function checkFormat(value: unknown, where: string): void {
  const found = at(value, 'format');
  if (found === format) return;
  if (typeof found === 'string' && /^covenant-report\/\d+$/.test(found)) {
    throw new UsageError(`${where} has the format ${found}, which is newer than this Covenant reads; update Covenant.`);
  }
  throw new UsageError(`${where} is no report of Covenant; give a report.json that covenant run has written.`);
}

/** What any version may leave out, so that every view can rely on it. */
function completed(written: Report & { readonly $schema?: unknown }): Report {
  const { $schema: _schema, ...report } = written;
  const { plan } = report;
  const whole = plan?.requests !== undefined && plan.residue !== undefined && plan.duration_ms !== undefined;
  const { plan: _, ...rest } = report;
  return {
    ...rest,
    run: { ...report.run, options: { ...nothingFiltered, ...report.run.options } },
    exchanges: report.exchanges.map((one) => ({
      ...one,
      duration_ms: one.duration_ms ?? 0,
      request: { ...one.request, headers: one.request.headers ?? {}, credential: one.request.credential ?? 'none' },
      response: { ...one.response, headers: one.response.headers ?? {}, body: one.response.body ?? '' },
    })),
    untestable: report.untestable ?? [],
    traffic: report.traffic ?? [],
    ...(plan !== undefined && whole ? { plan } : {}),
  };
}

/**
 * The report in a text; `where` names the file.
 * @throws UsageError where it is broken, foreign, or written by a newer version.
 */
export function readReport(text: string, where: string): Report {
  const value = jsonIn(text, `${where} is not JSON; give a report.json that covenant run has written.`);
  checkFormat(value, where);
  const [first] = violations('report', value);
  if (first !== undefined) {
    const place = first.pointer === '' ? 'at its top' : `at ${first.pointer}`;
    throw new UsageError(
      `${where} is a damaged report: ${place} there should be ${first.expected}, but there is ${first.actual}; take the file as covenant run wrote it.`,
    );
  }
  return completed(value as Report);
}
