// The Dockerfile keeps what linters of Dockerfiles ask for and copies what there is.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** Comments gone, continued lines joined. */
const instructions = (text: string): readonly Instruction[] =>
  text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
      return { name, rest };
    });

const parts = ({ rest }: Instruction) => rest.split(/\s+/).filter((part) => !part.startsWith('--'));

/** What is wrong, by the names of hadolint's rules. */
function troubles(text: string): readonly string[] {
  const all = instructions(text);
  const of = (...names: string[]) => all.filter(({ name }) => names.includes(name));
  const last = all.slice(all.findLastIndex(({ name }) => name === 'FROM'));
  const users = last.filter(({ name }) => name === 'USER');
  const stages = of('FROM').flatMap(({ rest }) => / AS (\S+)$/i.exec(rest)?.[1] ?? []);
  const sources = of('COPY').flatMap((one) => (one.rest.includes('--from=') ? [] : parts(one).slice(0, -1)));
  const found: readonly (readonly [string, boolean])[] = [
    ['DL3006 no tag', of('FROM').some(({ rest }) => !/^\S+:\S+/.test(rest))],
    ['DL3007 latest', of('FROM').some(({ rest }) => /:latest\b/.test(rest))],
    ['DL3002 root at the end', users.length === 0 || /^(?:root|0)\b/.test(users.at(-1)?.rest ?? 'root')],
    [
      'DL3009 apt without clean-up',
      of('RUN').some(({ rest }) => /apt(?:-get)? /.test(rest) && !rest.includes('/var/lib/apt/lists')),
    ],
    ['DL3020 ADD', of('ADD').length > 0],
    ['DL3000 relative WORKDIR', of('WORKDIR').some(({ rest }) => !rest.startsWith('/'))],
    ['DL3025 no JSON', of('CMD', 'ENTRYPOINT').some(({ rest }) => !Array.isArray(jsonOf(rest)))],
    ['DL3022 unknown stage', of('COPY').some(({ rest }) => !stageKnown(rest, stages))],
    ['DL4003 several CMD', last.filter(({ name }) => name === 'CMD').length > 1],
    ['DL3012 not one HEALTHCHECK', of('HEALTHCHECK').length !== 1],
    ['copies what is not there', sources.some((source) => !existsSync(source))],
    ['secret', of('ENV', 'ARG').some(({ rest }) => /KEY|TOKEN|JWT|SECRET/.test(rest))],
  ];
  return found.filter(([, wrong]) => wrong).map(([name]) => name);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const stageKnown = (rest: string, stages: readonly string[]): boolean => {
  const from = /--from=(\S+)/.exec(rest)?.[1];
  return from === undefined || stages.includes(from);
};

const dockerfile = readFileSync('Dockerfile', 'utf8');

describe('Dockerfile', () => {
  test('keeps the rules', () => {
    expect(troubles(dockerfile)).toEqual([]);
  });

  test.each([
    ['DL3006 no tag', dockerfile.replaceAll('node:22-slim', 'node')],
    ['DL3007 latest', dockerfile.replaceAll('node:22-slim', 'node:latest')],
    ['DL3002 root at the end', dockerfile.replace('USER node', 'USER root')],
    ['DL3002 root at the end', dockerfile.replace('USER node\n', '')],
    [
      'DL3009 apt without clean-up',
      dockerfile.replace('RUN npm ci', 'RUN apt-get update && \\\n  apt-get install -y git'),
    ],
    ['DL3020 ADD', dockerfile.replace('COPY lib', 'ADD lib')],
    ['DL3000 relative WORKDIR', dockerfile.replace('WORKDIR /work', 'WORKDIR work')],
    ['DL3025 no JSON', dockerfile.replace('CMD ["run"]', 'CMD run')],
    ['DL3022 unknown stage', dockerfile.replace(' AS build', ' AS made')],
    ['DL4003 several CMD', `${dockerfile}CMD ["serve"]\n`],
    ['DL3012 not one HEALTHCHECK', dockerfile.replace('HEALTHCHECK', '# HEALTHCHECK')],
    ['copies what is not there', dockerfile.replace('COPY lib lib', 'COPY lip lib')],
    ['secret', dockerfile.replace('ENV ', 'ENV COVENANT_API_KEY=x ')],
  ])('the rule %s notices', (rule, text) => {
    expect(troubles(text)).toEqual([rule]);
  });

  test('what it copies is not ignored, and all else is, credentials above all', () => {
    const lines = readFileSync('.dockerignore', 'utf8').split('\n');
    const copied = instructions(dockerfile)
      .filter(({ name, rest }) => name === 'COPY' && !rest.includes('--from='))
      .flatMap((one) => parts(one).slice(0, -1));
    expect(lines[1]).toBe('*');
    const kept = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect([...kept].sort()).toEqual([...new Set(copied)].sort());
    expect(lines).toEqual(expect.arrayContaining(['**/.env', '**/*.pem']));
  });
});
