import { fetchWithinOrigin } from '@crier/client';

interface Message {
  id?: string | number | null;
  method?: string;
  params?: { protocolVersion?: string; _meta?: Record<string, unknown> } & Record<string, unknown>;
  result?: { protocolVersion?: string };
  error?: unknown;
}

/** The parameter of each method that the header `Mcp-Name` repeats. */
const nameFields: Record<string, string> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};
const versionField = 'io.modelcontextprotocol/protocolVersion';

/** Sends lines of JSON-RPC to an MCP server over HTTP, and passes its responses to `receive`. */
export function openBridge(url: string, apiKey: string | null, receive: (message: unknown) => void) {
  let version: string | undefined;

  function headersFor({ method, params }: Message): Record<string, string> {
    const ownVersion = params?._meta?.[versionField];
    const name = method && params?.[nameFields[method] ?? ''];
    const isModern = typeof ownVersion === 'string';
    const spoken = isModern ? ownVersion : version;
    return {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(apiKey && { authorization: `Bearer ${apiKey}` }),
      ...(spoken && { 'mcp-protocol-version': spoken }),
      ...(isModern && method && { 'mcp-method': method }),
      ...(isModern && typeof name === 'string' && { 'mcp-name': headerValue(name) }),
    };
  }

  function pass(message: Message) {
    version = message.result?.protocolVersion ?? version;
    receive(message);
  }

  const fail = (id: Message['id'], about: string) =>
    receive({ jsonrpc: '2.0', id, error: { code: -32000, message: `Crier at ${url}: ${about}` } });

  return async function send(line: string): Promise<void> {
    let message: Message | Message[];
    try {
      message = JSON.parse(line);
    } catch {
      receive({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } });
      return;
    }
    if (typeof message !== 'object' || message === null) {
      receive({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid Request' } });
      return;
    }
    const open = new Set(
      [message]
        .flat()
        .filter(isRequest)
        .map(({ id }) => id),
    );
    let about = 'no answer';
    try {
      const headers = headersFor(Array.isArray(message) ? {} : message);
      const response = await fetchWithinOrigin(url, { method: 'POST', headers, body: line });
      for await (const answer of readMessages(response)) {
        if (answer.method === undefined) open.delete(answer.id);
        pass(answer);
      }
    } catch (error) {
      about = error instanceof Error ? error.message : String(error);
    }
    for (const id of open) fail(id, about);
  };
}

/** Only a request gets a response. */
const isRequest = (message: Message | null) =>
  message?.id !== undefined && message.result === undefined && message.error === undefined;

/** The body is one JSON text, or server-sent events with one JSON text each. */
async function* readMessages(response: Response): AsyncGenerator<Message> {
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('event-stream') && response.body) return yield* readEvents(response.body);
  const body = await response.text();
  if (response.ok && body.trim() === '') return;
  const answers: (Message & { jsonrpc?: string })[] = type.includes('json') ? [JSON.parse(body)].flat() : [];
  // A rejected key is an HTTP error, not a JSON-RPC one.
  const [first] = answers;
  if (first?.jsonrpc === undefined) throw new Error(String(first?.error ?? `status ${response.status}`));
  yield* answers;
}

async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Message> {
  let rest = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split(/\r?\n\r?\n/);
    rest = blocks.pop()!;
    for (const block of blocks) {
      const lines = block.split(/\r?\n/).filter((line) => line.startsWith('data:'));
      const data = lines.map((line) => line.slice(5).trim()).join('\n');
      if (data) yield JSON.parse(data);
    }
  }
}

/** Headers carry visible ASCII. The protocol has other text sent as base64. */
const headerValue = (text: string) =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
