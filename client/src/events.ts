import { ConnectionError, CrierError } from './errors.ts';
import { sleep } from './sleep.ts';

type Open = (lastEventId?: string) => Promise<Response>;

/** The service sends a comment every 15 seconds. */
const silenceMs = 45_000;
const maxDelayMs = 30_000;
/** A longer timer fires immediately. */
const maxTimerMs = 2 ** 31 - 1;

interface SequenceOptions {
  signal: AbortSignal | undefined;
  /** The service never ends this stream itself. */
  isEndless: boolean;
}

/**
 * Server-sent events, for `for await`. An endless stream reconnects after the last event received, until the loop exits
 * or the signal aborts.
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
      let askedMs = 0;
      try {
        const response = await this.#open(lastId);
        for await (const { id, event, data } of readEvents(response)) {
          failures = 0;
          lastId = id ?? lastId;
          if (data !== undefined) yield { event, data } as Event;
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (!isEndless || (error instanceof CrierError && !passes(error))) throw error;
        if (error instanceof CrierError) askedMs = (error.retryAfterSeconds ?? 0) * 1_000;
      }
      if (!isEndless) return;
      failures += 1;
      const delayMs = Math.min(1_000 * 2 ** (failures - 1), maxDelayMs);
      await sleep(Math.min(Math.max(delayMs, askedMs), maxTimerMs), signal);
    }
  }
}

/** Retrying does not help against a rejected request. */
const passes = (error: CrierError) =>
  error instanceof ConnectionError || [429, 502, 503, 504].includes(error.status ?? 0);

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
    // Closes the connection when the loop exits.
    await reader.cancel().catch(() => {});
  }
}

function readBlock(block: string): ServerEvent {
  const read: ServerEvent = { event: 'message' };
  for (const line of block.split('\n')) {
    const [, field, text = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? [];
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
