// Items by what they have in common, and what is computed of an object only once.

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
