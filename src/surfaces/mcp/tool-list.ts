import { setImmediate } from 'node:timers/promises';
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { RouteOptions } from 'fastify';
import { argumentsCheck } from './check-arguments.ts';
import type { Operations } from './operations.ts';
import { type Reword, rewordForTools } from './reword.ts';
import { type Arguments, routeOf, type Tool } from './tool.ts';
import { type ToolSchemas, toolSchemas } from './tool-schemas.ts';
import { tools } from './tools/index.ts';

/** The tools and their routes. */
export interface ToolList {
  readonly reword: Reword;
  find(name: string): KnownTool | undefined;
  /** As clients see them. */
  listed(options: { withWorkspace: boolean }): Promise<ListedTool[]>;
}

export interface KnownTool {
  readonly tool: Tool;
  readonly route: RouteOptions;
  schemas(): ToolSchemas;
  /** Refuses arguments that the tool does not accept. */
  check(args: Arguments): void;
}

export function toolList(operations: Operations): ToolList {
  const reword = rewordForTools(tools, operations);
  const schemasOf = toolSchemas(reword);
  const known = new Map(tools.map((tool) => [tool.name, knownTool(tool, routeOf(operations, tool), schemasOf)]));
  let described: Promise<Described[]> | undefined;
  return {
    reword,
    find: (name) => known.get(name),
    async listed({ withWorkspace }) {
      described ??= describeAll([...known.values()]);
      const all = await described;
      return all.filter(({ tool }) => withWorkspace || !tool.isForWorkspaces).map(({ shown }) => shown);
    },
  };
}

/** Converting the schemas takes a while, so it is done once per tool, on demand. */
function knownTool(tool: Tool, route: RouteOptions, schemasOf: ReturnType<typeof toolSchemas>): KnownTool {
  let made: ToolSchemas | undefined;
  let check: KnownTool['check'] | undefined;
  const schemas = () => {
    made ??= schemasOf(tool, route);
    return made;
  };
  return {
    tool,
    route,
    schemas,
    check(args) {
      check ??= argumentsCheck(schemas().inputSchema);
      check(args);
    },
  };
}

interface Described {
  tool: Tool;
  shown: ListedTool;
}

/** Runs once, when the first client asks. Yields to other requests in between. */
async function describeAll(all: KnownTool[]): Promise<Described[]> {
  const described: Described[] = [];
  for (const { tool, schemas } of all) {
    described.push({ tool, shown: describe(tool, schemas()) });
    await setImmediate();
  }
  return described;
}

const describe = (tool: Tool, schemas: ToolSchemas): ListedTool => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  ...schemas,
  annotations: {
    title: tool.title,
    readOnlyHint: tool.effect === 'read',
    destructiveHint: tool.effect === 'destructive',
    idempotentHint: tool.effect === 'read' || tool.isIdempotent === true,
    openWorldHint: tool.isOpenWorld === true,
  },
  ...(tool.meta && { _meta: tool.meta }),
});
