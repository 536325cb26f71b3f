import type { Tool } from '../tool.ts';

export const accountTools: readonly Tool[] = [
  {
    name: 'list_connections',
    title: 'List connected accounts',
    description:
      'Lists the connected accounts. Pass their platformId to other tools as platforms or platformId. The user must reconnect an account with connectionStatus "reconnect_required". Accounts are connected in the dashboard, not by a tool.',
    operationId: 'listConnections',
    effect: 'read',
  },
  {
    name: 'test_connection',
    title: 'Test a connected account',
    description:
      'Asks the network whether an account from list_connections works and which permissions it has. Read status and message of the result.',
    operationId: 'testConnection',
    effect: 'read',
    isOpenWorld: true,
  },
  {
    name: 'platform_limits',
    title: 'Read the limits of each network',
    description:
      'Shows the limits of every network: characters, images, videos, and whether media or a video is required. Use it before you write for several networks.',
    operationId: 'getPlatformLimits',
    effect: 'read',
  },
  {
    name: 'account_context',
    title: 'Read the plan and its quotas',
    description:
      'Shows the current time (serverTime), the plan, its features and the remaining quotas for the month of scheduledTime. Use it before scheduling many posts, and after an error such as POST_LIMIT_REACHED.',
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
    description: 'Creates a user managed by the key owner. username is the e-mail address.',
    operationId: 'createWorkspaceUser',
    effect: 'write',
    isForWorkspaces: true,
  },
  {
    name: 'workspace_detach_user',
    title: 'Remove a user from the workspace',
    description:
      'Removes a user from the workspace. The user keeps the account. list_workspace_users has the ids. Ask the user of this chat first.',
    operationId: 'detachWorkspaceUser',
    effect: 'destructive',
    isIdempotent: true,
    isForWorkspaces: true,
  },
];
