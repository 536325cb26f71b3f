/** The first bytes of a stream, and the whole stream, those included. */
export async function withHead(source: AsyncIterable<Uint8Array>, bytes: number) {
  const iterator = source[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < bytes) {
    const { value, done } = await iterator.next();
    if (done) break;
    first.push(value);
    length += value.byteLength;
  }
  async function* whole() {
    try {
      yield* first;
      for (;;) {
        const { value, done } = await iterator.next();
        if (done) return;
        yield value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  return { head: new Uint8Array(Buffer.concat(first)), whole: whole() };
}
