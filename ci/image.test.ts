// The Dockerfile copies what there is and ends as a user without rights, and nothing that it does not copy gets near it.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const dockerfile = readFileSync('Dockerfile', 'utf8').replaceAll(/\\\n\s*/g, '');
const copied = [...dockerfile.matchAll(/^COPY (?!--from=)(?:--\S+ )*(.*) \S+$/gm)].flatMap(([, paths = '']) =>
  paths.split(' '),
);

test('it copies what there is, names the versions of its images, and holds no secret', () => {
  expect(copied.length).toBeGreaterThan(3);
  expect(copied.filter((path) => !existsSync(path))).toEqual([]);
  expect(dockerfile.match(/^FROM .*/gm)?.filter((line) => !/^FROM (?!\S+:latest)\S+:\S+/.test(line))).toEqual([]);
  expect(dockerfile).not.toMatch(/^(?:ENV|ARG) .*(?:KEY|TOKEN|JWT|SECRET)/m);
});

test('it ends as a user without rights, with a command in JSON and one health check', () => {
  expect(dockerfile.match(/^USER .*/gm)?.at(-1)).toBe('USER node');
  for (const [, words = ''] of dockerfile.matchAll(/^(?:CMD|ENTRYPOINT) (.*)$/gm))
    expect(JSON.parse(words)).toBeInstanceOf(Array);
  expect(dockerfile.match(/^HEALTHCHECK /gm)).toHaveLength(1);
});

test('what it copies is not ignored, and all else is, credentials above all', () => {
  const lines = readFileSync('.dockerignore', 'utf8').split('\n');
  expect(lines[1]).toBe('*');
  const kept = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  expect([...kept].sort()).toEqual([...new Set(copied)].sort());
  expect(lines).toEqual(expect.arrayContaining(['**/.env', '**/*.pem']));
});
