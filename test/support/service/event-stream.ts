import { eventually } from '../eventually.ts';

export interface StreamedEvent {
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the data, whatever its shape.
  data: any;
}

/** A client of `GET /events`, like a browser. */
export interface EventClient {
  readonly response: Response;
  /** All events so far. */
  events(): StreamedEvent[];
  /** The data of those with this name. */
  of(name: string): StreamedEvent['data'][];
  /** The number of keep-alive comments so far. */
  beats(): number;
  lastId(): string | undefined;
  /** Waits for this many events with this name, and returns the data of all. */
  until(name: string, count?: number): Promise<StreamedEvent['data'][]>;
  /** Resolves when the service or the test ends the stream. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Opens a stream and waits until it is ready, unless it is rejected. */
export async function openEvents(url: string, headers: Record<string, string>): Promise<EventClient> {
  const controller = new AbortController();
  const response = await fetch(url, { headers, signal: controller.signal });
  const events: StreamedEvent[] = [];
  let [lastId, beats]: [string | undefined, number] = [undefined, 0];

  function read(block: string) {
    const fields = block.split('\n').map((line) => /^(\w*): ?(.*)$/.exec(line));
    const fieldOf = (field: string) => fields.find((match) => match?.[1] === field)?.[2];
    if (block.startsWith(':')) beats += 1;
    lastId = fieldOf('id') ?? lastId;
    const data = fieldOf('data');
    if (data !== undefined) events.push({ name: fieldOf('event') ?? 'message', data: JSON.parse(data) });
  }

  async function receive() {
    let rest = '';
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) read(block);
    }
  }

  const ended = response.ok ? receive().catch(() => {}) : Promise.resolve();
  const client: EventClient = {
    response,
    events: () => [...events],
    of: (wanted) => events.filter(({ name }) => name === wanted).map(({ data }) => data),
    beats: () => beats,
    lastId: () => lastId,
    async until(name, count = 1) {
      await eventually(
        () => {
          if (client.of(name).length < count) throw new Error(`${name} is missing in ${JSON.stringify(events)}`);
        },
        { interval: 10 },
      );
      return client.of(name);
    },
    ended,
    async close() {
      controller.abort();
      await ended;
    },
  };
  if (response.ok) await client.until('ready');
  return client;
}
