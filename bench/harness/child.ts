import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A benchmark program in a separate process. It replies to each message with one message. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** Its first message, sent when it was ready. */
  readonly ready: unknown;
  ask<T>(message: unknown): Promise<T>;
}

/** The child exits when this process does, because its channel closes. */
export async function startChild(program: URL, options: unknown = null): Promise<Child> {
  const child = fork(program, [JSON.stringify(options)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ready = await nextMessage(child);
  return {
    pid: child.pid ?? 0,
    ready,
    async ask<T>(message: unknown) {
      const answer = nextMessage(child);
      child.send(message as object);
      const { result, error } = (await answer) as { result?: T; error?: string };
      if (error !== undefined) throw new Error(error);
      return result as T;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`${child.spawnargs.at(-2)} ended with ${code}.`);
      }),
    ]);
  } finally {
    over.abort();
  }
}
