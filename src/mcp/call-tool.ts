import type { CallToolResult } from '@modelcontextprotocol/server';
import type { RouteOptions } from 'fastify';
import { Problem } from '../errors.ts';
import type { Server } from '../http/fastify.ts';
import { type Caller, callRoute, type RouteAnswer } from './call-route.ts';
import type { Arguments, Tool } from './tool.ts';
import type { Reword } from './tool-words.ts';

/** Calls the operation behind a tool. An error is a result too, with the whole body of the error. */
export async function callTool(
  server: Pick<Server, 'inject'>,
  { tool, route }: { tool: Tool; route: RouteOptions },
  args: Arguments,
  caller: Caller,
  reword: Reword,
): Promise<CallToolResult> {
  const { status, body } = await answerOf(() => callRoute(server, route, tool.fields?.(args) ?? args, caller));
  if (status >= 400) return { ...asResult(withAdvice(body, reword)), isError: true };
  return asResult(tool.result?.(body, args) ?? body);
}

const asResult = (body: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(body) }],
  structuredContent: body,
});

/** An argument that cannot be sent at all is answered in the shape of the other errors. */
async function answerOf(call: () => Promise<RouteAnswer>): Promise<RouteAnswer> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: error.status, body: { code: error.code, ...error.body } };
  }
}

/** What an agent can do next, where the REST API has no hint, or one for people who write programs. */
const advice: Readonly<Record<string, string>> = {
  INSUFFICIENT_SCOPE:
    'The person has not allowed this. Ask them to add requiredScope to your API key, or to connect you again and approve it.',
  MCP_ACCESS_DISABLED: 'Only the operator of this Crier can enable it. Tell the person; trying again does not help.',
  VALIDATION_FAILED:
    'Change what validation.errors lists. validate_post checks the new text without storing it, and platform_limits shows what each network allows.',
  POST_LIMIT_REACHED: 'account_context shows the quotas and when they are reset.',
  SCHEDULED_POST_LIMIT_REACHED:
    'account_context shows the quotas. list_posts with status "scheduled" shows what waits.',
  SCHEDULE_HORIZON_REACHED: 'account_context shows the last date that can be scheduled.',
  PLATFORM_NOT_AVAILABLE: 'account_context shows the networks of the plan.',
  POST_NOT_EDITABLE: 'Only drafts and scheduled posts can be changed. create_post makes a new one.',
  POST_PUBLISH_IN_PROGRESS: 'get_post shows how the publishing goes.',
};

/** The hint in the words of tools. */
function withAdvice(body: Record<string, unknown>, reword: Reword): Record<string, unknown> {
  const hint = advice[String(body.code)] ?? (typeof body.hint === 'string' ? reword(body.hint) : undefined);
  return hint === undefined ? body : { ...body, hint };
}
