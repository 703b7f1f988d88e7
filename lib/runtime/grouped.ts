// Groups items, searches sorted lists, and caches values computed from an object.

export function grouped<Item, Name>(
  items: Iterable<Item>,
  nameOf: (item: Item) => Name,
): ReadonlyMap<Name, readonly Item[]> {
  const groups = new Map<Name, Item[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}

/** The item stored earlier under this name; if there was none, stores this one. */
export function formerOf<Name, Item>(known: Map<Name, Item>, name: Name, item: Item): Item | undefined {
  const former = known.get(name);
  if (former === undefined) known.set(name, item);
  return former;
}

/** The first place at which it holds, in a list in which it holds for all later items, too. */
export function firstPlace<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(items[middle] as Item)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The computation must depend on the object alone, and the object must not change. */
export function computedOnce<Of extends object, Value>(compute: (of: Of) => Value): (of: Of) => Value {
  const known = new WeakMap<Of, { readonly value: Value }>();
  return (of) => {
    let entry = known.get(of);
    if (entry === undefined) {
      entry = { value: compute(of) };
      known.set(of, entry);
    }
    return entry.value;
  };
}
