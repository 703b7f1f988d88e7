// The evidence of a run on its way to the disk: compressed as it comes, and in its place only once it is whole.
import { createWriteStream } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Recorded, Recording } from '../evidence/record.ts';
import type { Report } from '../result.ts';
import { NotWritten } from '../runtime/disk.ts';

export const evidenceName = 'evidence.jsonl.gz';

/** Text in, a compressed file out. */
function compressed(path: string): { readonly into: Writable; readonly written: Promise<void> } {
  // Replies are alike enough: more effort takes half as long again, and saves a tenth.
  const into = createGzip({ level: 1, chunkSize: 65_536 });
  return { into, written: pipeline(into, createWriteStream(path, { mode: 0o644 })) };
}

export class EvidenceFile {
  readonly recording: Recording;
  private readonly beside: string;
  private readonly stream: ReturnType<typeof compressed>;

  constructor(folder: string, recorded: Recorded) {
    this.beside = join(folder, `.${evidenceName}.${process.pid}.part`);
    this.stream = compressed(this.beside);
    // Said when the file is finished; until then nobody waits for it.
    this.stream.written.catch(() => {});
    this.recording = new Recording(recorded, (lines) => this.stream.into.write(lines));
  }

  /** Seals the record with the report, in whose folder it goes; resolves with where it is. */
  async finish(report: Report, folder: string): Promise<string> {
    const path = join(folder, evidenceName);
    this.recording.finish(report, await readFile(join(folder, 'report.json')));
    this.stream.into.end();
    try {
      await this.stream.written;
      await rename(this.beside, path);
    } catch (error) {
      await this.discard();
      throw new NotWritten(path, error);
    }
    return path;
  }

  /** Leaves nothing behind. */
  async discard(): Promise<void> {
    this.stream.into.destroy();
    await this.stream.written.catch(() => {});
    await rm(this.beside, { force: true });
  }
}
