// The digest of the code that decides a verdict: this suite's own files, and the versions of what it computes with.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Everything that a verdict follows from; what only shows it may change without a word. */
const deciding = [
  'lib/case.ts',
  'lib/catalogue',
  'lib/client',
  'lib/configuration',
  'lib/doctor',
  'lib/expect',
  'lib/fixtures',
  'lib/index.ts',
  'lib/run',
  'lib/runtime',
  'lib/schema',
  'lib/secrets',
  'schemas',
  'suites',
] as const;
const packages = ['ajv', 'ajv-formats', 'fast-check', 'p-limit'] as const;

const root = fileURLToPath(new URL('../../', import.meta.url));
const isCode = (name: string): boolean =>
  /\.(?:[jt]s|json)$/.test(name) && !/\.d\.ts$|\.test(?:-data)?\.[jt]s$/.test(name);

/** Compiled, a file has another ending. */
const asBuilt = (path: string): string => (existsSync(join(root, path)) ? path : path.replace(/\.ts$/, '.js'));

function filesOf(path: string): string[] {
  if (path.endsWith('.ts')) return [asBuilt(path)];
  const names = readdirSync(join(root, path), { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile() && isCode(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));
}

/** The version of a package, from the manifest above the file that is imported. */
function versionOf(name: string): string {
  const require = createRequire(import.meta.url);
  for (let folder = dirname(require.resolve(name)); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    const found: { name?: string; version?: string } = existsSync(manifest)
      ? JSON.parse(readFileSync(manifest, 'utf8'))
      : {};
    if (found.name === name) return `${name} ${found.version}`;
    if (folder === dirname(folder)) throw new Error(`${name} has no manifest`);
  }
}

/** SHA-256 in hexadecimal; the same wherever the same package is installed. */
export function ownCode(): string {
  const hash = createHash('sha256');
  for (const file of deciding.flatMap(filesOf).sort()) {
    hash
      .update(`${file.replaceAll('\\', '/')}\n`)
      .update(readFileSync(join(root, file), 'utf8'))
      .update('\n');
  }
  for (const name of packages) hash.update(`${versionOf(name)}\n`);
  return hash.digest('hex');
}
