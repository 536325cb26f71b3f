// Declares the schema properties that are not shapes: `operationId`, `tags`, `security`.
import type {} from '@fastify/swagger';
import type { FastifySchema, RouteOptions } from 'fastify';
import type { z } from 'zod';
import type { ProblemKey } from '../../errors/index.ts';
import { scopeOf } from '../scopes.ts';
import type { Server } from '../server.ts';
import { type Described, type OpenapiDocument, openapiDocument } from './document.ts';
import type { securitySchemes } from './info.ts';
import type { Part } from './parts.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document for a part of the routes. Call it once all of them are registered. */
    openapi(part: Part): Promise<OpenapiDocument>;
  }
  interface FastifyContextConfig {
    /** The errors this route can return. */
    problems?: readonly ProblemKey[];
  }
  interface FastifySchema {
    /** Shown in the reference: a request body and a response body, by status if there are several. */
    example?: {
      readonly request?: unknown;
      readonly response?: unknown;
      readonly responses?: Readonly<Record<string, unknown>>;
    };
  }
}

/** Collects the routes registered after it. `server.openapi(part)` builds a document from them. */
export function describeRoutes(server: Server, described: Described) {
  const routes: RouteOptions[] = [];
  const documents: Partial<Record<Part, Promise<OpenapiDocument>>> = {};
  server.addHook('onRoute', (route) => void routes.push(route));
  server.decorate('openapi', (part: Part) => {
    documents[part] ??= openapiDocument(routes, part, described);
    return documents[part];
  });
}

type Scheme = keyof typeof securitySchemes;

export interface Common {
  /** Any one of them is enough. */
  security: readonly Scheme[];
  /** The errors every route of this kind can return. */
  problems: readonly ProblemKey[];
  /** Loose: validation must keep the other headers. */
  headers?: z.ZodObject;
}

/** Adds what all routes of this scope share: credentials, headers and errors. */
export function describeAccess(scope: Server, common: Common) {
  scope.addHook('onRoute', (route) => {
    const schema: FastifySchema = route.schema ?? {};
    const { problems = [], failure = 'internal' } = route.config ?? {};
    route.schema = {
      ...schema,
      ...(common.headers && {
        headers: common.headers.extend(schema.headers ? (schema.headers as z.ZodObject).shape : {}),
      }),
      security:
        schema.security ??
        common.security.map((scheme) => ({
          [scheme]: scheme === 'apiKey' ? [scopeOf(route.method, route.config)] : [],
        })),
    };
    route.config = {
      ...route.config,
      problems: [
        ...problems,
        ...common.problems,
        ...(schema.querystring || schema.body ? (['invalid_request'] as const) : []),
        ...(schema.body ? (isForm(schema) ? formProblems : bodyProblems) : []),
        failure,
      ],
    };
  });
}

/** Why a request with a body can be refused before it reaches its route. */
const bodyProblems = [
  'invalid_json',
  'text_invalid',
  'body_too_large',
  'unsupported_media_type',
] as const satisfies ProblemKey[];

const isForm = ({ consumes }: FastifySchema) => consumes?.includes('multipart/form-data') ?? false;
const formProblems = ['form_required', 'form_invalid', 'upload_broken_off'] as const satisfies ProblemKey[];
