import type { CallToolResult } from '@modelcontextprotocol/server';
import type { RouteOptions } from 'fastify';
import { Problem } from '../errors.ts';
import type { Server } from '../http/fastify.ts';
import { withAdvice } from './advice.ts';
import { type Caller, callRoute, type RouteAnswer } from './call-route.ts';
import type { Arguments, Tool } from './tool.ts';
import type { Reword } from './tool-words.ts';

/**
 * Calls the operation behind a tool. An error is a result too, with the whole body of the error as text. It has no structured
 * content: that must conform to the output schema of the tool, and clients that check it would refuse the whole result.
 */
export async function callTool(
  server: Pick<Server, 'inject'>,
  { tool, route }: { tool: Tool; route: RouteOptions },
  args: Arguments,
  caller: Caller,
  reword: Reword,
): Promise<CallToolResult> {
  const { status, body } = await answerOf(() => callRoute(server, route, tool.fields?.(args) ?? args, caller));
  if (status >= 400) return { content: textOf(withAdvice(body, reword)), isError: true };
  const result = tool.result?.(body, args) ?? body;
  return { content: textOf(result), structuredContent: result };
}

const textOf = (body: Record<string, unknown>): CallToolResult['content'] => [
  { type: 'text', text: JSON.stringify(body) },
];

/** An argument that cannot be sent at all is answered in the shape of the other errors. */
async function answerOf(call: () => Promise<RouteAnswer>): Promise<RouteAnswer> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: error.status, body: { code: error.code, ...error.body } };
  }
}
