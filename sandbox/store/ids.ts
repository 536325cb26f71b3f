/** Ids that grow with time, like those of the real platforms: the high bits are milliseconds, the low bits a counter. */
export function createIds(now: () => number) {
  const lastOf = new Map<bigint, bigint>();
  return {
    snowflake(bits = 16n): string {
      const fromClock = BigInt(now()) << bits;
      const last = lastOf.get(bits) ?? 0n;
      const next = fromClock > last ? fromClock : last + 1n;
      lastOf.set(bits, next);
      return String(next);
    },
  };
}
