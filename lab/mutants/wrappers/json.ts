// JSON objects as wrappers read and change them.
export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const without = (object: Json, name: string): Json =>
  Object.fromEntries(Object.entries(object).filter(([other]) => other !== name));
