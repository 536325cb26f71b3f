import type { CallToolResult } from '@modelcontextprotocol/server';
import { Problem } from '../../foundation/errors/index.ts';
import { problemBody } from '../../foundation/http/answers/error-handler.ts';
import type { Server } from '../../foundation/http/server.ts';
import { withAdvice } from './advice.ts';
import { type Caller, callRoute, type RouteAnswer } from './call-route.ts';
import type { Reword } from './reword.ts';
import type { Arguments } from './tool.ts';
import type { KnownTool } from './tool-list.ts';

/**
 * Calls the operation behind a tool. An error is a result too, with the whole error body as text. It has no structured
 * content: that must conform to the tool's output schema, and clients that check it would refuse the whole result.
 */
export async function callTool(
  server: Pick<Server, 'inject'>,
  { tool, route, check }: KnownTool,
  args: Arguments,
  caller: Caller,
  reword: Reword,
): Promise<CallToolResult> {
  const { status, body } = await answerOf(caller, async () => {
    check(args);
    return callRoute(server, route, tool.fields?.(args) ?? args, caller);
  });
  if (status >= 400) return { content: textOf(withAdvice(body, reword)), isError: true };
  const result = tool.result?.(body, args) ?? body;
  return { content: textOf(result), structuredContent: result };
}

const textOf = (body: Record<string, unknown>): CallToolResult['content'] => [
  { type: 'text', text: JSON.stringify(body) },
];

/** Arguments that are refused before any route sees them get an error of the same shape, and count as a read. */
async function answerOf(caller: Caller, call: () => Promise<RouteAnswer>): Promise<RouteAnswer> {
  try {
    return await call().catch(async (error: unknown) => {
      if (error instanceof Problem) await caller.countRead();
      throw error;
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: error.status, body: { ...problemBody(error), requestId: caller.requestId } };
  }
}
