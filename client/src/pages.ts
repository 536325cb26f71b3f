/** Awaited, a list is its first page. With `for await`, it is every item of every page. */
export class Pages<Body, Item> implements PromiseLike<Body>, AsyncIterable<Item> {
  readonly #read: (page?: number) => Promise<Body>;
  readonly #field: string;
  #first: Promise<Body> | undefined;

  constructor(read: (page?: number) => Promise<Body>, field: string) {
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
      const { hasNextPage, page = 1 } = body.pagination ?? {};
      if (!hasNextPage) return;
      body = (await this.#read(page + 1)) as Paged;
    }
  }

  /** Fetches the first page on first use, and only once. */
  #page(): Promise<Body> {
    this.#first ??= this.#read();
    return this.#first;
  }
}

interface Paged {
  [field: string]: unknown;
  pagination?: { page?: number; hasNextPage: boolean };
}
