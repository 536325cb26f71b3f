import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { buildServer } from '../../../src/surfaces/server.ts';
import { temporaryFolder } from '../database/temporary-server.ts';
import { openBalancer } from '../processes/balancer.ts';
import { publishDue } from '../publishing/publish-due.ts';
import { type TestClock, testApp } from '../service/app.ts';
import { type TestService, type TestUser, testService } from '../service/service.ts';

export interface McpStage extends TestService, McpClients {
  /** The URL of a balancer in front of two instances of the service, which share only the database. */
  readonly url: string;
  /** The number of requests to each instance. */
  served(): number[];
  /** Publishes due posts. */
  publish(): Promise<void>;
}

export interface McpClients {
  /** A connected client of the official SDK. Without a key it is anonymous. */
  aClient(options?: ClientOptions): Promise<Client>;
  /** The same with version 1.x of the SDK, which most agents use. */
  aClientOfSdk1(options?: Pick<ClientOptions, 'user' | 'headers'>): Promise<Client1>;
  /** Calls a tool and returns its result. */
  call(client: ToolClient, name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  /** Sends a message as an HTTP client. */
  post(message: unknown, headers?: Record<string, string>, path?: string): Promise<Response>;
  close(): Promise<void>;
}

export interface ClientOptions {
  user?: TestUser;
  headers?: Record<string, string>;
  mode?: 'legacy' | { pin: string };
  path?: string;
}

/** The common interface of both SDKs' clients. */
export interface ToolClient {
  listTools(): Promise<{ tools: { name: string; inputSchema: object }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
}

export interface ToolAnswer {
  isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the body, whatever its shape.
  body: any;
}

/** Two instances of the service behind a balancer that alternates between them. */
export async function mcpStage(
  options: { clock?: TestClock; environment?: Record<string, string> } = {},
): Promise<McpStage> {
  const balancer = await openBalancer();
  const folder = await temporaryFolder();
  const environment = { DATA_DIR: folder.path, ...options.environment };
  const common = { publicUrl: balancer.url, environment, ...(options.clock && { clock: options.clock }) };
  const service = await testService(common);
  const second = await testApp({ ...common, database: service.database, sandboxUrl: service.sandbox.url });
  const secondServer = await buildServer(second.app);
  for (const server of [service.server, secondServer]) {
    balancer.ports.add(Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port));
  }
  const clients = mcpClients(balancer.url);

  return {
    ...service,
    ...clients,
    url: balancer.url,
    served: balancer.served,
    publish: () => publishDue(service.app),
    async close() {
      await clients.close();
      await balancer.close();
      await secondServer.close();
      await second.close();
      await service.close();
      await folder.remove();
    },
  };
}

/** Clients of the MCP server at this address. */
export function mcpClients(url: string): McpClients {
  const clients: (Client | Client1)[] = [];
  const requestInit = ({ user, headers }: ClientOptions) => ({
    headers: { ...(user && { authorization: `Bearer ${user.apiKey}` }), ...headers },
  });
  return {
    async aClient({ mode = 'legacy', path = '/mcp', ...options } = {}) {
      const client = new Client({ name: 'a test', version: '1.0.0' }, { versionNegotiation: { mode } });
      const transport = new StreamableHTTPClientTransport(new URL(path, url), { requestInit: requestInit(options) });
      await client.connect(transport);
      clients.push(client);
      return client;
    },
    async aClientOfSdk1(options = {}) {
      const client = new Client1({ name: 'a test', version: '1.0.0' });
      await client.connect(new Transport1(new URL('/mcp', url), { requestInit: requestInit(options) }));
      clients.push(client);
      return client;
    },
    async call(client, name, args = {}) {
      const result = (await client.callTool({ name, arguments: args })) as CallToolResult;
      const [block] = result.content;
      if (block?.type !== 'text') throw new Error(`${name} returned no text`);
      return { isError: result.isError ?? false, body: JSON.parse(block.text) };
    },
    post: (message, headers = {}, path = '/mcp') =>
      fetch(new URL(path, url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof message === 'string' ? message : JSON.stringify(message),
      }),
    close: async () => void (await Promise.all(clients.map((client) => client.close()))),
  };
}
