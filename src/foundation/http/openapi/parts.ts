import type { RouteOptions } from 'fastify';

/** Routes for programs, routes for signed-in people only, or all routes. */
export type Part = 'api' | 'dashboard' | 'all';

/** A route that accepts an API key is for programs. All others sign a person in, or need a signed-in person. */
export const belongsTo: Readonly<Record<Part, (route: RouteOptions) => boolean>> = {
  api: takesKey,
  dashboard: (route) => !takesKey(route),
  all: () => true,
};

function takesKey({ schema }: RouteOptions): boolean {
  return schema?.security?.some((one) => 'apiKey' in one) ?? false;
}

/** The parts with a separate document. */
export const documentNames = ['api', 'dashboard'] as const satisfies Part[];
export type DocumentName = (typeof documentNames)[number];

/** A document has the same name in the repository. */
export const documentFiles = { api: 'openapi.json', dashboard: 'openapi-dashboard.json' } as const satisfies Record<
  DocumentName,
  string
>;

export const documentPath = (name: DocumentName) => `/api/v1/${documentFiles[name]}`;
