// Drawing by rank: who is drawn depends on names and not on places, so that a new mutant or trigger leaves most draws as they were.

/** A number from 0 to 2^32 - 1 that follows from a text (FNV-1a, mixed). */
function hash(text: string): number {
  let mixed = 0x811c9dc5;
  for (let place = 0; place < text.length; place += 1) mixed = Math.imul(mixed ^ text.charCodeAt(place), 0x01000193);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The items in an order of chance that follows from `draw` and their names. */
export function ranked<Item>(items: readonly Item[], draw: string, name: (item: Item) => string): Item[] {
  const places = items.map((item) => ({ item, place: hash(`${draw} ${name(item)}`) }));
  return places.sort((one, other) => one.place - other.place).map(({ item }) => item);
}
