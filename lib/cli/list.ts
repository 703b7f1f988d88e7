// Options that take several values.

/** `a,b` and a repeated option both add up. */
export const list = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value.split(',').map((item) => item.trim()),
];
