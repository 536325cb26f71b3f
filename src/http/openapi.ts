import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type ProblemEntry, type ProblemKey, problems } from '../errors.ts';
import type { Server } from './frame.ts';

/** What an answer other than success looks like. Further fields depend on the code. */
const ProblemBody = z.looseObject({ error: z.string(), code: z.string().optional(), message: z.string().optional() });

/** The answers of a route: its success, and the problems it can answer, grouped by status with texts and codes. */
export function answers<S extends z.ZodType>(success: S, keys: readonly ProblemKey[], status: 200 | 201 = 200) {
  const byStatus = Object.groupBy(keys, (key) => String(problems[key].status));
  const refusals = Object.entries(byStatus).map(([code, group]) => [code, problemAnswer(code, group ?? [])] as const);
  return { [status]: success, ...Object.fromEntries(refusals) } as { 200: S };
}

function problemAnswer(status: string, keys: readonly ProblemKey[]) {
  const lines = keys.map((key) => {
    const { error, code }: ProblemEntry = problems[key];
    return code ? `\`${code}\`: ${error}` : error;
  });
  return ProblemBody.describe([`${STATUS_CODES[status]}:`, ...lines].join('\n- '));
}

/** Collects the schemas of all routes registered after it into `server.swagger()`. */
export async function describeRoutes(server: Server) {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Crier',
        version: '1.0.0',
        description: 'Schedules and publishes posts to the accounts you have connected, once and only once.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/api/v1' }],
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'x-service-key' },
          session: { type: 'apiKey', in: 'cookie', name: 'crier.session_token', description: 'Dashboard session' },
        },
      },
    },
    stripBasePath: true,
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
}
