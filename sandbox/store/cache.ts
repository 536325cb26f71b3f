/** Caches rows, so that a token or an account costs one query and not one per request. */
export function createCache<T>(maxEntries = 10_000) {
  const entries = new Map<string, T>();
  return {
    get(key: string, load: () => T | undefined): T | undefined {
      const known = entries.get(key);
      if (known !== undefined) return known;
      const loaded = load();
      if (loaded === undefined) return undefined;
      if (entries.size >= maxEntries) entries.clear();
      entries.set(key, loaded);
      return loaded;
    },
    forget: (): void => entries.clear(),
  };
}
