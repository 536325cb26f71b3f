/** A lossless WebP of one colour: 38 bytes at any size. Its pixels need no bits at all. */
export function flatWebp(width: number, height: number): Buffer {
  const file = Buffer.alloc(38);
  file.write('RIFF', 0);
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WEBPVP8L', 8);
  file.writeUInt32LE(file.length - 20, 16);
  file[20] = 0x2f;
  const fields: [value: number, bits: number][] = [
    [width - 1, 14],
    [height - 1, 14],
    // No alpha, version, transforms or colour cache, and only one group of codes.
    [0, 1 + 3 + 1 + 1 + 1],
    // Green, red, blue and alpha: a simple code of one symbol with eight bits.
    ...[120, 60, 200, 255].flatMap((colour): [number, number][] => [
      [0b101, 3],
      [colour, 8],
    ]),
    // Distances: a simple code of one symbol with one bit.
    [0b001, 4],
  ];
  let at = 21 * 8;
  for (const [value, bits] of fields)
    for (let bit = 0; bit < bits; bit += 1, at += 1) file[at >> 3]! |= ((value >> bit) & 1) << (at & 7);
  return file;
}
