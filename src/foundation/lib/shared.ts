/** A use of something shared. Disposing the last use closes it. */
interface Use<T> extends AsyncDisposable {
  readonly value: T;
}

/** Callers that use the same thing at the same time share it, from its opening on. */
export function createShared<T>(close: (value: T) => unknown) {
  const opened = new Map<string, { opening: Promise<T>; uses: number }>();

  return async function use(name: string, open: () => Promise<T>): Promise<Use<T>> {
    const shared = opened.get(name) ?? { opening: open(), uses: 0 };
    opened.set(name, shared);
    shared.uses += 1;
    const forget = () => opened.get(name) === shared && opened.delete(name);
    const value = await shared.opening.catch((error: unknown) => {
      forget();
      throw error;
    });
    let isInUse = true;
    return {
      value,
      async [Symbol.asyncDispose]() {
        if (!isInUse) return;
        isInUse = false;
        shared.uses -= 1;
        if (shared.uses > 0) return;
        forget();
        await close(value);
      },
    };
  };
}
