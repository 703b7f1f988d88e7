// A recorded run played again with the suites that are installed: its report, or where they part from the record.
import type { Suite } from '../case.ts';
import type { Report } from '../result.ts';
import { run } from '../run/run.ts';
import { Secrets } from '../secrets/secrets.ts';
import type { Entry, Found, Header } from './format.ts';
import { type Divergence, Replay } from './replay.ts';

export interface WholeEvidence {
  readonly header: Header;
  readonly entries: readonly Entry[];
  readonly found: Found;
}

export type Replayed =
  | { readonly report: Report; readonly diverged?: undefined }
  | { readonly report?: undefined; readonly diverged: Divergence };

const isDivergence = (error: unknown): error is Divergence =>
  typeof error === 'object' && error !== null && 'why' in error && !(error instanceof Error);

/** Sends nothing and waits for nothing. */
export async function replayed(suites: readonly Suite[], { header, entries, found }: WholeEvidence): Promise<Replayed> {
  const secrets = new Secrets(undefined, found.tokens);
  const replay = new Replay(entries, found, secrets);
  const { target, credentials, settings } = header;
  const stopped = entries.some((entry) => 'stopped' in entry);
  const again = run({
    suites,
    target: { ...target, credentials },
    settings,
    transport: replay.transport,
    clock: replay.clock,
    secrets,
    // What a person reads about the credentials costs requests, and whoever records reads it.
    onEvent: () => {},
    ...(stopped ? { signal: replay.signal } : {}),
  });
  replay.start();
  try {
    const { report } = await Promise.race([again, replay.diverged]);
    const diverged = replay.end();
    return diverged ? { diverged } : { report };
  } catch (error) {
    if (isDivergence(error)) return { diverged: error };
    throw error;
  }
}
