// What others had before anybody came: whether it is still there, and as it was.
import type { ApiKey, Company, Note } from './records.ts';
import type { World } from './world.ts';

const ofCompany = ({ given, contactCount, notesById }: Company): string =>
  JSON.stringify([given, contactCount, notesById.size]);
const ofNote = ({ text, gone }: Note): string => JSON.stringify([text, gone]);
const ofKey = ({ label, gone }: ApiKey): string => JSON.stringify([label, gone]);

/** Looks at everything that the world holds now; what it returns looks again, and names what has changed. */
export function witness(world: World): () => string[] {
  const companies = [...world.companies];
  const notes = companies.flatMap(([place, { notesById }]) =>
    [...notesById.values()].map((note) => [`${place}/${note.id}`, note] as const),
  );
  const keys = [...world.keysById];
  const look = (): readonly (readonly [string, string])[] => [
    ...companies.map(([place, company]) => [`company ${place}`, ofCompany(company)] as const),
    ...notes.map(([place, note]) => [`note ${place}`, ofNote(note)] as const),
    ...keys.map(([place, key]) => [`key ${place}`, ofKey(key)] as const),
  ];
  const before = look();
  return () =>
    look().flatMap(([name, now], place) => {
      const then = before[place]?.[1];
      return now === then ? [] : [`${name}: ${then} became ${now}`];
    });
}
