import type { App } from '../../../app.ts';
import { scopeNames } from '../../../foundation/http/scopes.ts';

const apiPath = '/api/v1';
/** What a token can be asked for (RFC 8707): the places where MCP is served, and the REST API. */
export const resourcePaths = ['/mcp', '', apiPath] as const;

export const metadataUrl = ({ publicUrl }: Pick<App, 'publicUrl'>, path: string) =>
  `${publicUrl}/.well-known/oauth-protected-resource${path}`;

/** RFC 9728. The root has a slash, as clients write it. */
export const resourceMetadata = ({ publicUrl }: Pick<App, 'publicUrl'>, path: string) => ({
  resource: `${publicUrl}${path || '/'}`,
  resource_name: 'Crier',
  resource_documentation: `${publicUrl}/docs`,
  authorization_servers: [publicUrl],
  scopes_supported: scopeNames,
  bearer_methods_supported: ['header'],
});

/** RFC 8414. */
export const serverMetadata = ({ publicUrl }: Pick<App, 'publicUrl'>) => ({
  issuer: publicUrl,
  authorization_endpoint: `${publicUrl}/authorize`,
  token_endpoint: `${publicUrl}/token`,
  registration_endpoint: `${publicUrl}/register`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
  code_challenge_methods_supported: ['S256'],
  scopes_supported: scopeNames,
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${publicUrl}/docs`,
});

/** The resource that a request names, or null if it is not ours. Without one it is the MCP server at /mcp. */
export function resourceOf(app: Pick<App, 'publicUrl'>, asked: string | undefined): string | null {
  const known = resourcePaths.map((path) => resourceMetadata(app, path).resource);
  if (asked === undefined || asked === '') return known[0] ?? null;
  const plain = (text: string) => text.replace(/\/$/, '');
  return known.find((resource) => plain(resource) === plain(asked)) ?? null;
}

/** A program that uses the REST API itself, such as the command line. */
export const isRestApi = (app: Pick<App, 'publicUrl'>, resource: string) =>
  resource === resourceMetadata(app, apiPath).resource;
