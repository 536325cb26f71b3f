/** What was made for the keys used last; those not used for longest are forgotten, and made again when wanted. */
export function recent<T>(max: number) {
  const known = new Map<string, T>();

  return function recently(key: string, make: () => T): T {
    const found = known.get(key) ?? make();
    // A map keeps its keys in the order in which they came.
    known.delete(key);
    known.set(key, found);
    for (const oldest of known.keys()) {
      if (known.size <= max) break;
      known.delete(oldest);
    }
    return found;
  };
}
