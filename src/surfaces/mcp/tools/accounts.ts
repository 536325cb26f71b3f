import { type Tool, without } from '../tool.ts';

export const accountTools: readonly Tool[] = [
  {
    name: 'list_connections',
    title: 'List connected accounts',
    description:
      'Lists the connected accounts. Pass their platformId to other tools as platforms or platformId. If connectionStatus is "reconnect_required", the user must reconnect the account. Only the dashboard can connect accounts.',
    operationId: 'listConnections',
    effect: 'read',
    input: (schema) => without(schema, 'brands'),
  },
  {
    name: 'test_connection',
    title: 'Test a connected account',
    description:
      'Asks the network whether the connection to an account from list_connections works and which permissions it has. Read status and message in the result.',
    operationId: 'testConnection',
    effect: 'read',
    isOpenWorld: true,
  },
  {
    name: 'platform_limits',
    title: 'Read the limits of each network',
    description:
      'Lists the limits of every network for text, images and videos, and whether media or a video is required. Call it before you write for several networks.',
    operationId: 'getPlatformLimits',
    effect: 'read',
  },
  {
    name: 'account_context',
    title: 'Read the plan and its quotas',
    description:
      'Returns the current time (serverTime), the plan, its features and the remaining quotas for the month of scheduledTime. Call it before you schedule many posts, and after an error such as POST_LIMIT_REACHED.',
    operationId: 'getAccountContext',
    effect: 'read',
  },
];

export const workspaceTools: readonly Tool[] = [
  {
    name: 'list_workspace_users',
    title: 'List managed users',
    description: 'Lists the users that the key owner manages.',
    operationId: 'listWorkspaceUsers',
    effect: 'read',
    isForWorkspaces: true,
  },
  {
    name: 'create_workspace_user',
    title: 'Create a managed user',
    description: 'Creates a user that the key owner manages. username is the email address.',
    operationId: 'createWorkspaceUser',
    effect: 'write',
    isForWorkspaces: true,
  },
  {
    name: 'workspace_detach_user',
    title: 'Remove a user from the workspace',
    description:
      'Removes a managed user from the workspace. That user keeps the account. list_workspace_users returns the ids. Ask the person in this chat first.',
    operationId: 'detachWorkspaceUser',
    effect: 'destructive',
    isIdempotent: true,
    isForWorkspaces: true,
  },
];
