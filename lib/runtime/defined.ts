// Optional members that may turn out to be undefined: left out, as exactOptionalPropertyTypes asks.

type Optional<T> = { [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined> };
type Present<T> = { [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] };

/** The members of an object that are not undefined: `{ ...defined({ reason }) }` has a reason only where there is one. */
export function defined<T extends object>(members: T): Optional<T> & Present<T> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Optional<T> & Present<T>;
}
