/** Ids that grow with time, like those of the real platforms: the high bits are milliseconds, the low bits a counter. */
export function createIds(now: () => number) {
  let last = 0n;
  return {
    snowflake(bits = 16n): string {
      const fromClock = BigInt(now()) << bits;
      last = fromClock > last ? fromClock : last + 1n;
      return String(last);
    },
  };
}
