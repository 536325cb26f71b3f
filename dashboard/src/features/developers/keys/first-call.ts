import type { Scope } from '@crier/client';

interface FirstCall {
  about: string;
  /** What curl gets besides the key. */
  request: string;
}

/** The most useful call first. None of them changes anything. */
const calls: readonly (FirstCall & { scope: Scope })[] = [
  {
    scope: 'write',
    about: 'It validates a post without storing it.',
    request: createPost('Hello, world', 'service-playground'),
  },
  { scope: 'read', about: 'It lists your channels.', request: '/platform-connections' },
  { scope: 'media', about: 'It lists your files.', request: '/media' },
  { scope: 'webhooks', about: 'It lists your webhooks.', request: '/webhooks' },
  { scope: 'workspace', about: 'It lists your workspace’s users.', request: '/workspace/users' },
];

/** A first call that a key with these scopes may make. */
export function firstCall(key: string, scopes: readonly Scope[], origin: string) {
  const { about, request } = calls.find(({ scope }) => scopes.includes(scope))!;
  return { about, command: curl(key, origin, request) };
}

/** A call that publishes on this channel. */
export const publishCall = (key: string, platformId: string, origin: string): string =>
  curl(key, origin, createPost('Hello from the API', platformId));

function createPost(content: string, platformId: string): string {
  return `/create-post \\
  -H 'content-type: application/json' \\
  -d '${JSON.stringify({ content, platforms: [platformId], publishNow: true })}'`;
}

function curl(key: string, origin: string, request: string): string {
  const [path, ...options] = request.split(' \\\n');
  return [`curl -s ${origin}/api/v1${path}`, `  -H 'x-service-key: ${key}'`, ...options].join(' \\\n');
}
