// A random walk through the states of a company's notes, compared with a model after every step.
import * as fc from 'fast-check';
import { conforms, eventually, isObject, Mismatch, NotTested, property } from '../../lib/index.ts';
import { command, creation, type Duty, duties, type Model, type Real, stepKinds } from './model.ts';
import { expectAll, noteList } from './note-list.ts';

const indexes = fc.integer({ min: 0, max: 5 });
const walks = (steps: number) =>
  fc.commands(
    stepKinds.map((kind) => indexes.map((index) => command(kind, index))),
    { maxCommands: steps, size: 'max' },
  );

/** What a walk left out is done once at its end, so that every duty is judged in each walk. */
async function complete(model: Model, real: Real): Promise<void> {
  for (const kind of stepKinds) {
    if (real.judged.has(kind.duty)) continue;
    // The walk may have deleted every note.
    if (!kind.possible(model)) await creation.run(model, real, 0);
    await kind.run(model, real, 0);
  }
}

const extent = {
  standard: { runs: 1, steps: 8 },
  thorough: { runs: 4, steps: 16 },
};

/** The Mismatch that a search ends with, if any. */
async function mismatchOf(search: Promise<void>): Promise<Mismatch | undefined> {
  try {
    await search;
    return undefined;
  } catch (error) {
    if (error instanceof Mismatch) return inWords(error);
    throw error;
  }
}

/** The steps in words in place of the objects that take them. */
function inWords(error: Mismatch): Mismatch {
  const { counterexample } = error.difference;
  if (!isObject(counterexample)) return error;
  return new Mismatch({
    ...error.difference,
    counterexample: { ...counterexample, input: String(counterexample.input) },
  });
}

export const walk = conforms(
  duties,
  { needs: ['spare', 'spareCompany'], writes: true, beyondQuick: true },
  async ({ api: primary, spare, spareCompany, clock, random, make, effort, check }) => {
    const api = primary.as(spare);
    const away = noteList(api, random, spareCompany.id);
    const judged = new Set<Duty>();
    let guilty: Duty | undefined;

    const run = async (commands: Iterable<fc.AsyncCommand<Model, Real>>) => {
      const home = noteList(api, random, (await make.company(api)).id);
      const real: Real = { home, away, clock, judged: new Set(), text: () => make.name('step') };
      const model: Model = { notes: new Map(), deleted: [] };
      for (const note of [await make.note(api, home.company), await make.note(api, home.company)])
        model.notes.set(note.id, note.text);
      await eventually(clock, async () => {
        expectAll(
          await home.list(),
          [...model.notes].map(([id, text]) => ({ id, text })),
        );
      });
      try {
        await fc.asyncModelRun(() => ({ model, real }), commands);
        await complete(model, real);
      } finally {
        for (const duty of real.judged) judged.add(duty);
        guilty = real.broken ?? guilty;
      }
    };

    const { runs, steps } = extent[effort === 'thorough' ? effort : 'standard'];
    const broken = await mismatchOf(property(random, walks(steps), run, runs));
    if (broken && !guilty) throw broken;
    for (const duty of duties)
      await check(duty, () => {
        if (broken && duty === guilty) throw broken;
        if (!judged.has(duty)) throw new NotTested('the walk ended before it came to this');
      });
  },
);
