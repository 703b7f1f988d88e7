// A value that is computed of an object the first time somebody asks, and kept as long as the object is.

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
