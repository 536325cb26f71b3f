/** Ids that grow with time, like the networks' own: milliseconds above, a running number below. */
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
