// Explains in words why files cannot be written or read.

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

/** The system's name of an error; empty where it has none. */
export const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Why something could not be written. */
export function explain(error: unknown): string {
  const code = codeOf(error);
  return explanations[code] ?? (code || String(error));
}

/** A file could not be written: an error neither of ours nor of the target. */
export class NotWritten extends Error {
  override readonly name = 'NotWritten';

  constructor(path: string, error: unknown) {
    super(`${path} could not be written: ${explain(error)}`);
  }
}

const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'is not there; check the path',
  ENOTDIR: 'is not there; a part of the path is a file',
  EACCES: 'may not be read by you; change its permissions',
  EPERM: 'may not be read by you; change its permissions',
  EISDIR: 'is a folder; name the file in it',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'is not UTF-8 text; save it as UTF-8',
  ERR_STRING_TOO_LONG: 'is too large to be read',
};

/** Why a file cannot be read, and what to do, in one sentence. */
export function unreadable(path: string, error: unknown): string {
  const code = codeOf(error);
  return `${path} ${remedies[code] ?? `cannot be read (${code || String(error)})`}.`;
}
