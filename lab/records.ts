// `npm run records`: records the small corpus of runs that every change of a case is held against.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processConsole } from '../lib/cli/console.ts';
import { subjectOf } from './matrix/subject.ts';
import { recordedRun } from './recorded-run.ts';

/** The reference, some lawful variants, some mutants: spread over the areas. */
export const recorded = [
  'reference',
  'choice-timestamps=naive',
  'choice-limiter=sliding',
  'envelope-many-headers',
  'billing-shows-summary-without-scope',
  'notes-delete-does-nothing',
  'api-keys-echoes-the-validated-secret',
] as const;

export const folder = 'lab/records';

/** Quick but for the reference: each is kept in the history for ever. */
async function record(): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const id of recorded) {
    const subject = subjectOf(id);
    if (subject === undefined) throw new Error(`there is no subject named ${id}`);
    const effort = id === 'reference' ? 'standard' : 'quick';
    const { file } = await recordedRun(subject.examination, { effort, exhaustion: id === 'reference' });
    await writeFile(join(folder, `${id}.jsonl.gz`), file);
    processConsole().stdout(`${id}: ${file.length} bytes\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await record();
