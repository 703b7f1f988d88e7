// Helpers for undefined: they leave out members, as exactOptionalPropertyTypes requires, and turn some errors into
// undefined.

type Optional<T> = { [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined> };
type Present<T> = { [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] };

/** The members of an object that are not undefined: `{ ...defined({ reason }) }` has a reason only where there is one. */
export function defined<T extends object>(members: T): Optional<T> & Present<T> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Optional<T> & Present<T>;
}

/** The existing members among these names. */
export const picked = <Name extends string>(
  names: readonly Name[],
  members: Readonly<Partial<Record<Name, string | undefined>>>,
): Partial<Record<Name, string>> => {
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const member = members[name];
    if (member !== undefined) found[name] = member;
  }
  return found;
};

/** The result; undefined if it rejects with an error of one of these classes. */
export const unless = <T>(
  awaited: Promise<T>,
  ...kinds: readonly (abstract new (
    ...given: never[]
  ) => Error)[]
): Promise<T | undefined> =>
  awaited.catch((error: unknown) => {
    if (kinds.some((kind) => error instanceof kind)) return undefined;
    throw error;
  });
