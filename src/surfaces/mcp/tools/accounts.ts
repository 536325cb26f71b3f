import type { Tool } from '../tool.ts';

export const accountTools: readonly Tool[] = [
  {
    name: 'list_connections',
    title: 'List connected accounts',
    description:
      'Lists the accounts that can be posted to. platformId is what other tools take as platforms or platformId. An account with connectionStatus "reconnect_required" must be connected again by the person. Accounts are connected at the dashboard, not by a tool.',
    operationId: 'listConnections',
    effect: 'read',
  },
  {
    name: 'test_connection',
    title: 'Test a connected account',
    description:
      'Asks the network whether an account of list_connections works and which permissions it has. Read status and message of the result.',
    operationId: 'testConnection',
    effect: 'read',
    isOpenWorld: true,
  },
  {
    name: 'platform_limits',
    title: 'Read what each network allows',
    description:
      'Shows the limits of every network: characters, images, videos, and whether media or a video is required. Use it before you write for several networks.',
    operationId: 'getPlatformLimits',
    effect: 'read',
  },
  {
    name: 'account_context',
    title: 'Read the plan and the quotas',
    description:
      'Shows the time now (serverTime), the plan, its features and how much of its quotas is left, for the month of scheduledTime. Use it before scheduling many posts, and after an error such as POST_LIMIT_REACHED.',
    operationId: 'getAccountContext',
    effect: 'read',
  },
];

export const workspaceTools: readonly Tool[] = [
  {
    name: 'list_workspace_users',
    title: 'List managed users',
    description: 'Lists the users that the owner of the key manages.',
    operationId: 'listWorkspaceUsers',
    effect: 'read',
    isForWorkspaces: true,
  },
  {
    name: 'create_workspace_user',
    title: 'Create a managed user',
    description: 'Creates a user that the owner of the key manages. username is the e-mail address.',
    operationId: 'createWorkspaceUser',
    effect: 'write',
    isForWorkspaces: true,
  },
  {
    name: 'workspace_detach_user',
    title: 'Remove a user from the workspace',
    description:
      'Ends the management of a user, who keeps the account. list_workspace_users has the ids. Ask the person first.',
    operationId: 'detachWorkspaceUser',
    effect: 'destructive',
    isIdempotent: true,
    isForWorkspaces: true,
  },
];
