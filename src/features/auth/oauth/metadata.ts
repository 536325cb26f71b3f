import type { App } from '../../../app.ts';
import { scopeNames } from '../../../foundation/http/scopes.ts';

const apiPath = '/api/v1';
/** The resources a token can be requested for (RFC 8707): the MCP endpoints and the REST API. */
export const resourcePaths = ['/mcp', '', apiPath] as const;

export const metadataUrl = ({ publicUrl }: Pick<App, 'publicUrl'>, path: string) =>
  `${publicUrl}/.well-known/oauth-protected-resource${path}`;

/** RFC 9728. The root has a trailing slash, as clients write it. */
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

/** The resource named in a request, or null if it is not ours. The default is the MCP server at /mcp. */
export function resourceOf(app: Pick<App, 'publicUrl'>, asked: string | undefined): string | null {
  const known = resourcePaths.map((path) => resourceMetadata(app, path).resource);
  if (asked === undefined || asked === '') return known[0] ?? null;
  const plain = (text: string) => text.replace(/\/$/, '');
  return known.find((resource) => plain(resource) === plain(asked)) ?? null;
}

/** A program that uses the REST API directly, such as the command line. */
export const isRestApi = (app: Pick<App, 'publicUrl'>, resource: string) =>
  resource === resourceMetadata(app, apiPath).resource;
