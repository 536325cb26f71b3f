/** Awaited, a list is its first page. With `for await`, it is every item of every page. */
export class Pages<Body, Item> implements PromiseLike<Body>, AsyncIterable<Item> {
  readonly #read: (next?: Next) => Promise<Body>;
  readonly #field: string;
  #first: Promise<Body> | undefined;

  constructor(read: (next?: Next) => Promise<Body>, field: string) {
    this.#read = read;
    this.#field = field;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise of the first page on purpose.
  then<A = Body, B = never>(
    resolve?: ((body: Body) => A | PromiseLike<A>) | null,
    reject?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#page().then(resolve, reject);
  }

  catch<B = never>(reject?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Body | B> {
    return this.#page().catch(reject);
  }

  finally(after?: (() => void) | null): Promise<Body> {
    return this.#page().finally(after);
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Item> {
    for (let body = (await this.#page()) as Paged; ; ) {
      yield* body[this.#field] as Item[];
      const { hasNextPage, nextCursor, page = 1 } = body.pagination ?? {};
      if (!hasNextPage) return;
      body = (await this.#read(nextCursor === undefined ? { page: page + 1 } : { cursor: nextCursor })) as Paged;
    }
  }

  /** Fetches the first page on first use, and only once. */
  #page(): Promise<Body> {
    this.#first ??= this.#read();
    return this.#first;
  }
}

/** Where the list continues: behind a cursor, which is fast at any depth, or on a numbered page. */
type Next = { cursor: string } | { page: number };

interface Paged {
  [field: string]: unknown;
  pagination?: { page?: number; hasNextPage: boolean; nextCursor?: string };
}
