import type { SampleWorkspace } from './sample-workspace.ts';

/** Every page address for a signed-in user, by route file, with the page's name. */
export const addresses: Record<string, (sample: SampleWorkspace) => { path: string; name: string | RegExp }> = {
  'calendar.tsx': () => ({ path: '/calendar', name: 'Calendar' }),
  'channels.tsx': () => ({ path: '/channels', name: 'Channels' }),
  'compose.index.tsx': () => ({ path: '/compose', name: 'New post' }),
  'compose.$postGroupId.tsx': ({ draft }) => ({ path: `/compose/${draft}`, name: 'Edit post' }),
  'developers/keys.tsx': () => ({ path: '/developers/keys', name: 'API keys' }),
  'developers/mcp.tsx': () => ({ path: '/developers/mcp', name: 'MCP' }),
  'developers/requests.tsx': () => ({ path: '/developers/requests', name: 'Requests' }),
  'developers/webhooks.$webhookId.tsx': ({ webhook }) => ({
    path: `/developers/webhooks/${webhook}`,
    name: /^(Team chat|Webhooks)/,
  }),
  'developers/webhooks.index.tsx': () => ({ path: '/developers/webhooks', name: 'Webhooks' }),
  'insights.tsx': () => ({ path: '/insights', name: 'Insights' }),
  'media.tsx': () => ({ path: '/media', name: 'Media' }),
  'posts.$postGroupId.tsx': ({ published }) => ({ path: `/posts/${published}`, name: /^One story in three parts/ }),
  'posts.import.tsx': () => ({ path: '/posts/import', name: 'Import posts' }),
  'posts.index.tsx': () => ({ path: '/posts', name: 'Posts' }),
  'queue.tsx': () => ({ path: '/queue', name: 'Queue' }),
  'settings/appearance.tsx': () => ({ path: '/settings/appearance', name: 'Appearance' }),
  'settings/profile.tsx': () => ({ path: '/settings/profile', name: 'Profile' }),
  'settings/security.tsx': () => ({ path: '/settings/security', name: 'Security' }),
  'settings/usage.tsx': () => ({ path: '/settings/usage', name: 'Usage and plan' }),
  'workspace.tsx': () => ({ path: '/workspace', name: 'Workspace' }),
};
