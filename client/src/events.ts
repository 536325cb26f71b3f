import { ConnectionError, CrierError } from './errors.ts';
import { sleep } from './sleep.ts';

type Open = (lastEventId?: string) => Promise<Response>;

/** The service sends a comment every 15 seconds. */
const silenceMs = 45_000;
const maxDelayMs = 30_000;

interface SequenceOptions {
  signal: AbortSignal | undefined;
  /** The stream has no end of its own. */
  isEndless: boolean;
}

/**
 * Server-sent events, for `for await`. An endless stream is opened again after the last event that arrived, until the loop is
 * left or the signal aborts.
 */
export class EventSequence<Event> implements AsyncIterable<Event> {
  readonly #open: Open;
  readonly #options: SequenceOptions;

  constructor(open: Open, options: SequenceOptions) {
    this.#open = open;
    this.#options = options;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Event> {
    const { signal, isEndless } = this.#options;
    let lastId: string | undefined;
    for (let failures = 0; ; ) {
      try {
        const response = await this.#open(lastId);
        for await (const { id, event, data } of readEvents(response)) {
          failures = 0;
          lastId = id ?? lastId;
          if (data !== undefined) yield { event, data } as Event;
        }
      } catch (error) {
        signal?.throwIfAborted();
        // A refusal does not pass by itself.
        if (!isEndless || (error instanceof CrierError && !(error instanceof ConnectionError))) throw error;
      }
      if (!isEndless) return;
      failures += 1;
      await sleep(Math.min(1_000 * 2 ** (failures - 1), maxDelayMs), signal);
    }
  }
}

interface ServerEvent {
  id?: string;
  event: string;
  data?: unknown;
}

async function* readEvents({ body }: Response): AsyncGenerator<ServerEvent> {
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await beforeSilence(reader.read());
      if (done) return;
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop()!;
      yield* blocks.map(readBlock);
    }
  } finally {
    // Ends the connection when the loop is left.
    await reader.cancel().catch(() => {});
  }
}

function readBlock(block: string): ServerEvent {
  const read: ServerEvent = { event: 'message' };
  for (const line of block.split('\n')) {
    const [, field, text = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (field === 'id') read.id = text;
    if (field === 'event') read.event = text;
    if (field === 'data') read.data = JSON.parse(text);
  }
  return read;
}

async function beforeSilence<T>(read: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    const error = new ConnectionError('The service stopped sending data.', { code: 'CONNECTION_LOST' });
    timer = setTimeout(() => reject(error), silenceMs);
  });
  try {
    return await Promise.race([read, silence]);
  } finally {
    clearTimeout(timer);
  }
}
