// What a disk refuses, in words.

const explanations: Readonly<Record<string, string>> = {
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file, not a folder',
  ENOENT: 'no folder can be made there',
  EISDIR: 'a folder stands where a file must go',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is used up',
  EFBIG: 'files may not grow so large here',
};

/** Why something could not be written. */
export function explain(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return explanations[code] ?? (code || String(error));
}

/** The disk refused a file: not an error of ours, and nothing that the target did. */
export class NotWritten extends Error {
  override readonly name = 'NotWritten';

  constructor(path: string, error: unknown) {
    super(`${path} could not be written: ${explain(error)}`);
  }
}
