import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { App } from '../../app.ts';
import type { Server as HttpServer } from '../../foundation/http/server.ts';
import { nearestName } from '../../foundation/text/nearest-name.ts';
import { type Caller, callRoute } from './call-route.ts';
import { callTool } from './call-tool.ts';
import type { Operations } from './operations.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import { readResource, resources, resourceTemplates } from './resources.ts';
import { type ToolList, toolList } from './tool-list.ts';
import { tools } from './tools/index.ts';

const instructionsAt = (publicUrl: string) =>
  `Crier publishes posts to the social network accounts that a user has connected at ${publicUrl}. No tool can connect an account. ` +
  'Start with list_connections, because other tools take its ids. validate_post checks a text, create_post stores a draft, schedules ' +
  'or publishes, and get_post shows the result and why a network rejected a post. Times are ISO 8601 with Z or an offset. ' +
  'serverTime in account_context is the current time. If you do not know the time zone, ask the user. Errors are JSON ' +
  'with a stable code and often a hint. Show texts to the user before they are published.';

/** How long a client may cache each list, and whether the list is the same for all keys. */
const cacheHints = {
  'tools/list': { ttlMs: 300_000, cacheScope: 'private' },
  'prompts/list': { ttlMs: 300_000, cacheScope: 'public' },
  'resources/list': { ttlMs: 300_000, cacheScope: 'public' },
  'resources/templates/list': { ttlMs: 300_000, cacheScope: 'public' },
  'server/discover': { ttlMs: 300_000, cacheScope: 'public' },
} as const;

export type BuildMcpServer = (caller: Caller | null) => Server;

/**
 * Creates one MCP server per request, because requests share nothing: any process can serve any of them. Uses the SDK's
 * low-level class, because the schemas of tools come from those of the routes.
 */
export function mcpServerBuilder(
  http: HttpServer,
  operations: Operations,
  { publicUrl }: Pick<App, 'publicUrl'>,
): BuildMcpServer {
  const instructions = instructionsAt(publicUrl);
  let made: ToolList | undefined;
  const list = () => {
    made ??= toolList(operations);
    return made;
  };

  return (caller) => {
    const server = new Server(
      { name: 'service', title: 'Crier', version: '1.0.0' },
      { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions, cacheHints },
    );
    server.setRequestHandler('tools/list', async () => ({
      tools: await list().listed({ withWorkspace: caller !== null && (await hasWorkspace(http, operations, caller)) }),
    }));
    server.setRequestHandler('tools/call', ({ params: { name, arguments: args = {} } }) => {
      const { find, reword } = list();
      return callTool(http, find(name) ?? refuseTool(name), args, required(caller), reword);
    });
    server.setRequestHandler('resources/list', () => ({ resources }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
    server.setRequestHandler('resources/read', ({ params }) =>
      readResource(http, operations, params.uri, required(caller)),
    );
    server.setRequestHandler('prompts/list', listPrompts);
    server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params.name, params.arguments ?? {}));
    return server;
  };
}

/**
 * Whether the key may call the workspace routes, which only the routes can decide. A list can be too large to return.
 */
async function hasWorkspace(http: HttpServer, operations: Operations, caller: Caller): Promise<boolean> {
  const route = operations.get('listWorkspaceUsers');
  return route !== undefined && [200, 413].includes((await callRoute(http, route, {}, caller)).status);
}

function refuseTool(name: string): never {
  const nearest = nearestName(
    name,
    tools.map((tool) => tool.name),
  );
  const text = `Unknown tool: ${name}.${nearest ? ` Did you mean ${nearest}?` : ''}`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
}

/** The transport has already required a key. */
function required(caller: Caller | null): Caller {
  if (!caller) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, 'An API key is required.');
  return caller;
}
