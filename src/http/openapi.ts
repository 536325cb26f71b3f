import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type ProblemEntry, type ProblemKey, problems } from '../errors.ts';
import type { Server } from './fastify.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What else this route can answer. */
    problems?: readonly ProblemKey[];
  }
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
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
}

type Scheme = 'apiKey' | 'session';

export interface Common {
  /** Several: any of them. */
  security: Scheme | readonly Scheme[];
  /** What every route of this kind can answer. */
  problems: readonly ProblemKey[];
  /** Loose: validation must not take out the others. */
  headers?: z.ZodObject;
}

/** Describes, on each route of this scope, how to get in and what it answers besides success. */
export function describeAccess(scope: Server, common: Common) {
  scope.addHook('onRoute', (route) => {
    const schema: FastifySchema = route.schema ?? {};
    const keys = [
      ...(route.config?.problems ?? []),
      ...common.problems,
      ...(schema.querystring || schema.body ? (['invalid_request'] as const) : []),
      ...(route.method === 'GET' || route.method === 'HEAD' ? [] : isForm(schema) ? formProblems : bodyProblems),
      route.config?.failure ?? 'internal',
    ] as const;
    route.schema = {
      ...schema,
      ...(common.headers && {
        headers: common.headers.extend(schema.headers ? (schema.headers as z.ZodObject).shape : {}),
      }),
      security: schema.security ?? [common.security].flat().map((scheme) => ({ [scheme]: [] })),
      response: { ...problemAnswers(keys), ...(schema.response as object) },
    };
  });
}

/** What whoever sends a body can be told before a route sees it. */
const bodyProblems = [
  'invalid_json',
  'text_invalid',
  'body_too_large',
  'unsupported_media_type',
] as const satisfies ProblemKey[];

const isForm = ({ consumes }: FastifySchema) => consumes?.includes('multipart/form-data') ?? false;
const formProblems = ['form_required', 'form_invalid', 'upload_broken_off'] as const satisfies ProblemKey[];

/** Problems by status, each with its texts and codes. */
function problemAnswers(keys: readonly ProblemKey[]): Record<string, z.ZodType> {
  const byStatus = Object.groupBy(new Set(keys), (key) => String(problems[key].status));
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group = []]) => {
      const lines = group.map((key) => {
        const { error, code }: ProblemEntry = problems[key];
        return `- ${code ? `\`${code}\`: ` : ''}${error}`;
      });
      return [status, ProblemBody.describe([`${STATUS_CODES[status]}:`, '', ...lines].join('\n'))];
    }),
  );
}

/** What an answer other than success looks like. Further fields depend on the code. */
const ProblemBody = z.looseObject({ error: z.string(), code: z.string().optional(), message: z.string().optional() });
