// The files for CI services: well-formed YAML without warnings, whose parts name each other rightly.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { credentialNames } from '../lib/configuration/settings.ts';

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const text = (path: string): string => readFileSync(path, 'utf8');

/** Parsed strictly: a key that stands twice is an error. */
function yaml(path: string) {
  const document = parseDocument(text(path), { strict: true, uniqueKeys: true });
  expect([...document.errors, ...document.warnings]).toEqual([]);
  return document.toJS();
}

/** What each step keeps, in an action as in a workflow. */
function checkSteps(steps: readonly Step[], source: string): void {
  for (const { uses, run, shell } of steps) {
    expect([uses, run].filter((one) => one !== undefined)).toHaveLength(1);
    if (run !== undefined) expect(shell).toBe('bash');
    // What a workflow puts into a script with ${{ }} is code there; it goes through the environment.
    expect(run ?? '').not.toContain('${{');
    if (uses !== undefined) expect(source).toMatch(new RegExp(`uses: ${uses} # pinned by major$`, 'm'));
    expect(uses ?? 'actions/x@v4').toMatch(/^actions\/[a-z-]+@v\d+$/);
  }
}

describe('action.yml', () => {
  const action = yaml('action.yml');
  const source = text('action.yml');
  const { steps }: { steps: readonly Step[] } = action.runs;

  test('is a composite action whose steps are whole', () => {
    expect(Object.keys(action).sort()).toEqual(['branding', 'description', 'inputs', 'name', 'outputs', 'runs']);
    expect(action.runs.using).toBe('composite');
    checkSteps(steps, source);
  });

  test('uses every input, and none that it has not', () => {
    const used = [...source.matchAll(/\$\{\{ inputs\.([a-z-]+) \}\}/g)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual(Object.keys(action.inputs).sort());
    for (const input of Object.values(action.inputs)) {
      expect(input).toEqual({
        description: expect.stringMatching(/\w/),
        required: false,
        default: expect.any(String),
      });
    }
  });

  test('distinguishes a base URL that is left out from one that is empty', () => {
    expect(text('lib/cli/github.ts')).toContain(`const leftOut = '${action.inputs['base-url'].default}';`);
  });

  test('hands over what the step reads, and takes what the step writes', () => {
    const step = text('lib/cli/github.ts');
    const read = [...step.matchAll(/\bINPUT_[A-Z_]+/g)].map(([name]) => name);
    const examine = steps.find(({ id }) => id === 'examine');
    expect(Object.keys(examine?.env ?? {}).sort()).toEqual([...new Set(read)].sort());
    const written = /const values = \{ (.*) \};/.exec(step)?.[1] ?? '';
    const names = [...written.matchAll(/(\w+): /g)].map(([, name]) => name);
    expect(Object.keys(action.outputs).sort()).toEqual(names.sort());
    for (const [name, { value }] of Object.entries<{ value: string }>(action.outputs))
      expect(value).toBe(`\${{ steps.examine.outputs.${name} }}`);
  });

  test('starts a script that is there', () => {
    expect(source).toContain('bash "$GITHUB_ACTION_PATH/ci/github.sh"');
    expect(text('ci/github.sh')).toContain('/dist/lib/cli/github-main.js');
    expect(existsSync('lib/cli/github-main.ts')).toBe(true);
  });
});

describe('ci/github.yml', () => {
  const workflow = yaml('ci/github.yml');
  const { conformance } = workflow.jobs;

  test('is a workflow whose steps are whole, with no right that it does not need', () => {
    expect(Object.keys(workflow).sort()).toEqual(['concurrency', 'jobs', 'name', 'on', 'permissions']);
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(conformance['runs-on']).toBe('ubuntu-latest');
    checkSteps(conformance.steps, text('ci/github.yml'));
  });

  test('hands over every credential, each from the secret of its name', () => {
    const { COVENANT_BASE_URL, ...secrets } = conformance.env;
    expect(COVENANT_BASE_URL).toBe('');
    for (const name of credentialNames) expect(secrets).toHaveProperty(name);
    for (const [name, value] of Object.entries(secrets)) expect(value).toBe(`\${{ secrets.${name} }}`);
  });
});

describe('ci/gitlab.yml', () => {
  const { variables, conformance, pages, ...rest } = yaml('ci/gitlab.yml');

  test('examines, with JUnit, and keeps the reports whatever the verdict', () => {
    expect(rest).toEqual({});
    expect(variables).toEqual({ COVENANT_BASE_URL: '' });
    expect(conformance.artifacts).toMatchObject({ when: 'always', reports: { junit: 'reports/junit.xml' } });
    expect(conformance.script.at(-1)).toContain('--reporter junit,html,markdown');
  });

  test('puts the page of a run where Pages takes it from, also after a failure', () => {
    expect(pages.needs).toEqual([{ job: 'conformance', artifacts: true }]);
    expect(pages.rules).toEqual([expect.objectContaining({ when: 'always' })]);
    expect(pages.script).toContain('cp reports/report.html public/index.html');
    expect(pages.artifacts.paths).toEqual(['public']);
  });
});
