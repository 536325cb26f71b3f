/**
 * Numbers states in the order in which they are seen. Keeps 64 bits of a state's key, as TLC does: among a hundred
 * million states, the chance that any two share them is below one in three thousand.
 */
export function stateNumbers() {
  let [size, mask] = [0, 2 ** 16 - 1];
  let [high, low, numbers] = tables(mask + 1);

  function grow() {
    const old = { high, low, numbers };
    mask = 2 * (mask + 1) - 1;
    [high, low, numbers] = tables(mask + 1);
    for (const [at, number] of old.numbers.entries()) {
      if (number > 0) put(placeOf(old.high[at]!, old.low[at]!), old.high[at]!, old.low[at]!, number);
    }
  }
  function placeOf(first: number, second: number): number {
    let at = second & mask;
    while (numbers[at]! > 0 && (high[at] !== first || low[at] !== second)) at = (at + 1) & mask;
    return at;
  }
  function put(at: number, first: number, second: number, number: number) {
    high[at] = first;
    low[at] = second;
    numbers[at] = number;
  }

  return {
    size: () => size,
    /** The number of a state, and whether it is new. */
    of(key: string): { number: number; isNew: boolean } {
      if (2 * size > mask) grow();
      const [first, second] = hashes(key);
      const at = placeOf(first, second);
      if (numbers[at]! > 0) return { number: numbers[at]! - 1, isNew: false };
      size += 1;
      put(at, first, second, size);
      return { number: size - 1, isNew: true };
    },
  };
}

/** The two halves of each state's bits, and its number plus one; 0 for an empty slot. */
const tables = (length: number) => [new Uint32Array(length), new Uint32Array(length), new Uint32Array(length)] as const;

/** Two 32-bit hashes by multiplication and a final mix (cyrb53 by bryc, public domain). */
function hashes(text: string): [number, number] {
  let [first, second] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    first = Math.imul(first ^ code, 2_654_435_761);
    second = Math.imul(second ^ code, 1_597_334_677);
  }
  const mix = (one: number, other: number) =>
    (Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909)) >>> 0;
  return [mix(first, second), mix(second, first)];
}

/** A growable list of 32-bit numbers. */
export function numberList() {
  let values = new Uint32Array(1024);
  let length = 0;
  return {
    length: () => length,
    at: (index: number) => values[index]!,
    push(value: number) {
      if (length === values.length) {
        const larger = new Uint32Array(2 * length);
        larger.set(values);
        values = larger;
      }
      values[length] = value;
      length += 1;
    },
    all: () => values.subarray(0, length),
  };
}
