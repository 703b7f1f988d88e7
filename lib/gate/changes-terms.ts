// On which terms two runs were made: what differs between them is said, so that unlike runs are never silently compared.
import type { Report } from '../result.ts';

/** One sentence for each term that differs. */
export type Terms = readonly string[];

export const sameSuite = (before: Report, after: Report): boolean =>
  before.suite.version === after.suite.version && before.suite.catalogue === after.suite.catalogue;

const names = (some: readonly string[] | null): string => (some === null ? 'all' : [...some].sort().join(', '));

interface Term {
  readonly what: string;
  /** Decides which requests are sent, so that their number says nothing where it differs. */
  readonly scope?: true;
  of(report: Report): string;
}

export const terms: readonly Term[] = [
  { what: 'the target', of: ({ target }) => target.base_url },
  { what: 'the version of the suite', scope: true, of: ({ suite }) => suite.version },
  { what: 'the catalogue of requirements', scope: true, of: ({ suite }) => suite.catalogue.slice(0, 12) },
  { what: 'the areas selected', scope: true, of: ({ run }) => names(run.options.area) },
  { what: 'the requirements selected', scope: true, of: ({ run }) => names(run.options.requirement) },
  { what: 'reads only', scope: true, of: ({ run }) => (run.options.read_only ? 'yes' : 'no') },
  { what: 'exceeding of limits', scope: true, of: ({ run }) => (run.options.exhaustion ? 'yes' : 'no') },
  {
    what: 'the shard',
    scope: true,
    of: ({ run: { options } }) => (options.shard ? `${options.shard.index} of ${options.shard.of}` : 'all'),
  },
  { what: 'the profile', scope: true, of: ({ run }) => run.options.profile },
  { what: 'the effort', scope: true, of: ({ run }) => run.options.effort },
  { what: 'the seed', of: ({ run }) => String(run.seed) },
  { what: 'the rate-limit minute', of: ({ run }) => `${run.minute_ms} ms` },
];

/** How the seeds differ, where they do: `before 1, now 2`. */
export const seedsOf = (some: Terms): string | undefined =>
  some.find((term) => term.startsWith('the seed: '))?.slice('the seed: '.length);

const aborted = ({ verdict }: Report): boolean => verdict === 'aborted';

export function differingTerms(before: Report, after: Report): Terms {
  const differing = terms.flatMap(({ what, of }) => {
    const [was, now] = [of(before), of(after)];
    return was === now ? [] : [`${what}: before ${was}, now ${now}`];
  });
  return aborted(after)
    ? [...differing, `the second run was aborted: ${after.reason ?? 'no reason given'}`]
    : differing;
}

/** Both runs were to send the same requests. */
export const sameTerms = (before: Report, after: Report): boolean =>
  !aborted(before) &&
  !aborted(after) &&
  terms.every(({ scope, of }) => scope === undefined || of(before) === of(after));
