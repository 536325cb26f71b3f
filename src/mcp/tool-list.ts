import { setImmediate } from 'node:timers/promises';
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { RouteOptions } from 'fastify';
import type { Operations } from './operations.ts';
import { routeOf, type Tool } from './tool.ts';
import { type ToolSchemas, toolSchemas } from './tool-schemas.ts';
import { type Reword, toolWords } from './tool-words.ts';
import { tools } from './tools/index.ts';

/** The tools with the routes behind them. */
export interface ToolList {
  readonly reword: Reword;
  find(name: string): { tool: Tool; route: RouteOptions } | undefined;
  /** As clients see them. */
  listed(options: { withWorkspace: boolean }): Promise<ListedTool[]>;
}

export function toolList(operations: Operations): ToolList {
  const reword = toolWords(tools, operations);
  const known = new Map(tools.map((tool) => [tool.name, { tool, route: routeOf(operations, tool) }]));
  let described: Promise<Described[]> | undefined;
  return {
    reword,
    find: (name) => known.get(name),
    async listed({ withWorkspace }) {
      described ??= describeAll([...known.values()], reword);
      const all = await described;
      return all.filter(({ tool }) => withWorkspace || !tool.isForWorkspaces).map(({ shown }) => shown);
    },
  };
}

interface Described {
  tool: Tool;
  shown: ListedTool;
}

/** Done once, when the first client asks. Converting the schemas takes a while, so other requests get their turn between. */
async function describeAll(all: { tool: Tool; route: RouteOptions }[], reword: Reword): Promise<Described[]> {
  const schemasOf = toolSchemas(reword);
  const described: Described[] = [];
  for (const { tool, route } of all) {
    described.push({ tool, shown: describe(tool, schemasOf(tool, route)) });
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
