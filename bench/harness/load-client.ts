// The load client: sends requests as fast as the responses arrive, one at a time on each connection. It runs in a
// separate process, so that its CPU use is known and other work of the benchmark does not slow it down.
import { Client, type Dispatcher } from 'undici';
import { percentile } from './percentile.ts';

export interface LoadPlan {
  /** If there are several, the connections are spread over them. */
  origins: readonly string[];
  /** Used in turn. `{n}` in their texts is the number of the request. */
  requests: readonly RequestTemplate[];
  connections: number;
  count: number;
  /** The number of the first request. */
  first: number;
  /** The expected status of every response. */
  status: number;
}

export interface RequestTemplate {
  method: Dispatcher.HttpMethod;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface LoadResult {
  seconds: number;
  answered: number;
  bytes: number;
  p50Ms: number;
  p99Ms: number;
}

/** Connections stay open, so that warming up includes them. */
const open = new Map<string, Client[]>();

function clientsFor({ origins, connections }: LoadPlan): Client[] {
  const name = `${connections} ${origins.join()}`;
  const known = open.get(name);
  if (known) return known;
  const limits = { pipelining: 1, headersTimeout: 120_000, bodyTimeout: 120_000 };
  const made = Array.from({ length: connections }, (_, i) => new Client(origins[i % origins.length]!, limits));
  open.set(name, made);
  return made;
}

async function load(plan: LoadPlan): Promise<LoadResult> {
  const clients = clientsFor(plan);
  const latencies: number[] = [];
  let [sent, bytes] = [0, 0];
  const began = performance.now();
  const lane = async (client: Client) => {
    while (sent < plan.count) {
      const template = plan.requests[sent % plan.requests.length]!;
      const number = String(plan.first + sent);
      sent += 1;
      const start = performance.now();
      bytes += await answerTo(client, optionsOf(template, number), plan.status);
      latencies.push(performance.now() - start);
    }
  };
  await Promise.all(clients.map(lane));
  const seconds = (performance.now() - began) / 1000;
  latencies.sort((one, other) => one - other);
  const [p50Ms, p99Ms] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  return { seconds, answered: latencies.length, bytes, p50Ms, p99Ms };
}

function optionsOf({ method, path, headers, body }: RequestTemplate, number: string): Dispatcher.DispatchOptions {
  const numbered = (text: string) => (text.includes('{n}') ? text.replaceAll('{n}', number) : text);
  return {
    method,
    path: numbered(path),
    headers: Object.entries(headers).flatMap(([name, value]) => [name, numbered(value)]),
    body: body === undefined ? null : numbered(body),
  };
}

/** Returns the length of the response. Fails on any other status. */
function answerTo(client: Client, options: Dispatcher.DispatchOptions, expected: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let [status, bytes, refusal] = [0, 0, ''];
  client.dispatch(options, {
    onRequestStart() {},
    onResponseStart(_controller, statusCode) {
      status = statusCode;
    },
    onResponseData(_controller, chunk) {
      bytes += chunk.length;
      if (status !== expected) refusal += chunk.toString();
    },
    onResponseEnd() {
      if (status === expected) resolve(bytes);
      else reject(new Error(`${options.method} ${options.path} answered ${status}: ${refusal.slice(0, 500)}`));
    },
    onResponseError(_controller, error) {
      reject(error);
    },
  });
  return promise;
}

process.on('message', (plan: LoadPlan) => {
  load(plan).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
