/** The scopes an API key can be limited to. */
export const scopes = {
  read: 'reads posts, connections, limits and statistics, and validates posts',
  write: 'creates, changes, publishes and deletes posts, comments and reactions',
  media: 'lists, uploads, changes and deletes files',
  webhooks: 'reads and changes webhooks',
  workspace: 'manages users, and acts for them with x-service-user-id',
} as const;
export type Scope = keyof typeof scopes;
export const scopeNames = Object.keys(scopes) as [Scope, ...Scope[]];

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that a key needs for this route. Default: `read` for GET, otherwise `write`. */
    scope?: Scope;
  }
}

/** Whether a request may change something. */
export const isWrite = (method: string, config: { scope?: Scope } | undefined): boolean =>
  method !== 'GET' && method !== 'HEAD' && config?.scope !== 'read';

export const scopeOf = (method: string | string[], config: { scope?: Scope } | undefined): Scope =>
  config?.scope ?? (method === 'GET' || method === 'HEAD' ? 'read' : 'write');
