// `--suite FILE`: modules with rules of one's own, imported and checked before anything is sent.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Suite } from '../case.ts';
import type { Row } from '../catalogue/requirement.ts';
import { UsageError } from '../configuration/settings.ts';
import { isOwnSuite, ownSuiteProblem, rowsOf, sharedRule } from '../run/own-rules.ts';
import { isThere } from './named-file.ts';
import type { Parts } from './parts.ts';

export interface OwnSuites {
  /** The parts, with these suites in every run. */
  readonly parts: Parts;
  /** What `--requirement` may name: the catalogue and these rules. */
  readonly requirements: Readonly<Record<string, Pick<Row, 'level'>>>;
}

/** Node itself leaves types out from 22.18 on. */
const readsTypes = 'typescript' in process.features && process.features.typescript !== false;

async function imported(folder: string, file: string): Promise<unknown> {
  if (!(await isThere(folder, file))) throw new UsageError(`${file} (--suite) is not there; check the path.`);
  if (/\.[cm]?tsx?$/.test(file) && !readsTypes)
    throw new UsageError(
      `${file} (--suite) is TypeScript, which Node ${process.versions.node} cannot load; use Node 22.18 or newer, or name a .mjs file.`,
    );
  if (!/\.[cm]?[jt]sx?$/.test(file))
    throw new UsageError(`${file} (--suite) is not a module; name a file that ends with .mjs, .js or .ts.`);
  try {
    const module: { readonly default?: unknown } = await import(pathToFileURL(resolve(folder, file)).href);
    return module.default;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${file} (--suite) cannot be loaded: ${message.split('\n')[0]}.`);
  }
}

async function suiteIn(folder: string, file: string): Promise<Suite> {
  const found = await imported(folder, file);
  if (!isOwnSuite(found))
    throw new UsageError(
      `${file} (--suite) has no suite as its default export; write: export default suite({ 'x-...': must('...') }, [...]).`,
    );
  const problem = ownSuiteProblem(found);
  if (problem !== undefined) throw new UsageError(`${file} (--suite): ${problem}.`);
  return found;
}

interface Options {
  readonly suite?: readonly string[];
  readonly evidence?: boolean;
  readonly shard?: string;
  readonly resume?: unknown;
}

/** @throws UsageError on a file that holds no suite, on a suite that is not whole, and on two that name the same rule. */
export async function withOwnSuites(
  { suite = [], evidence, shard, resume }: Options,
  folder: string,
  parts: Parts,
): Promise<OwnSuites> {
  if (suite.length === 0) return { parts, requirements: parts.catalogue };
  if (evidence) throw new UsageError('--evidence is of the installed suite alone; leave --suite off, or --evidence.');
  if (shard !== undefined) throw new UsageError('--suite is not divided into shards; leave it off, or --shard.');
  if (resume) throw new UsageError('--resume goes on with the installed suite alone; leave --suite off, or --resume.');
  const own: Suite[] = [];
  for (const file of suite) own.push(await suiteIn(folder, file));
  const shared = sharedRule(own);
  if (shared !== undefined)
    throw new UsageError(`Two suites (--suite) have a rule ${shared}; give one of them another name.`);
  return {
    parts: { ...parts, examine: (examination) => parts.examine({ ...examination, own }) },
    requirements: { ...rowsOf(own), ...parts.catalogue },
  };
}
