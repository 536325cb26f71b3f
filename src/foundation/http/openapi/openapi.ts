// Declares what a schema says besides its shapes: `operationId`, `tags`, `security`.
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
    /** The OpenAPI document of a part of the routes. Ask for it when all of them are registered. */
    openapi(part: Part): Promise<OpenapiDocument>;
  }
  interface FastifyContextConfig {
    /** What this route can answer besides success. */
    problems?: readonly ProblemKey[];
  }
  interface FastifySchema {
    /** What the reference shows: a body that the route takes and one that it answers with, by status if there are several. */
    example?: {
      readonly request?: unknown;
      readonly response?: unknown;
      readonly responses?: Readonly<Record<string, unknown>>;
    };
  }
}

/** Collects the routes registered after it, of which `server.openapi(part)` makes a document. */
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
  /** What every route of this kind can answer. */
  problems: readonly ProblemKey[];
  /** Loose: validation must keep the other headers. */
  headers?: z.ZodObject;
}

/** Adds to each route of this scope what all of them share: credentials, headers and errors. */
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

/** What a request with a body can be refused for before its route sees it. */
const bodyProblems = [
  'invalid_json',
  'text_invalid',
  'body_too_large',
  'unsupported_media_type',
] as const satisfies ProblemKey[];

const isForm = ({ consumes }: FastifySchema) => consumes?.includes('multipart/form-data') ?? false;
const formProblems = ['form_required', 'form_invalid', 'upload_broken_off'] as const satisfies ProblemKey[];
