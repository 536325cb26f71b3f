import { ROOT_CONTEXT, type Span, SpanKind, type SpanOptions, trace } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isId } from '../lib/ids.ts';
import { failSpan, rootOfPost, traceOfPost, tracer } from '../tracing/post-trace.ts';
import { withIds } from '../tracing/span-ids.ts';
import type { Server } from './server.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The group that this request created. */
    madePostGroup: string | null;
  }
}

const makesPost = '/api/v1/create-post';

/**
 * Records a span for each request when it ends. A request that creates a post is the root of the post's trace, and one
 * that changes it belongs there too; both link to the caller's trace. Other requests continue the caller's trace.
 */
export function traceRequests(server: Server) {
  server.decorateRequest('madePostGroup', null);
  server.addHook('preSerialization', (request, _reply, payload, done) => {
    if (request.routeOptions.url === makesPost && !request.isReplay) request.madePostGroup = groupIn(payload);
    done(null, payload);
  });
  server.addHook('onResponse', (request, reply, done) => {
    done();
    if (!request.routeOptions.config.quiet) endSpan(startSpan(request, reply), reply);
  });
}

function startSpan(request: FastifyRequest, reply: FastifyReply): Span {
  const route = request.routeOptions.url ?? 'unknown route';
  const name = `${request.method} ${route}`;
  const userId = request.who?.userId ?? request.session?.userId;
  const options: SpanOptions = {
    kind: SpanKind.SERVER,
    startTime: performance.timeOrigin + performance.now() - reply.elapsedTime,
    attributes: {
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': reply.statusCode,
      'crier.request_id': request.id,
      ...(userId && { 'user.id': userId }),
    },
  };
  const caller = callerOf(request);
  const links = caller ? [{ context: caller }] : [];
  const { madePostGroup } = request;
  if (madePostGroup) {
    return withIds(rootOfPost(madePostGroup), () => tracer.startSpan(name, { ...options, links }, ROOT_CONTEXT));
  }
  const changed = request.method === 'GET' ? null : groupIn(request.params);
  if (changed) return tracer.startSpan(name, { ...options, links }, traceOfPost(changed));
  return tracer.startSpan(name, options, caller ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT);
}

function endSpan(span: Span, { statusCode }: FastifyReply) {
  if (statusCode >= 500) failSpan(span, String(statusCode));
  span.end();
}

function callerOf({ headers }: FastifyRequest) {
  const header = headers.traceparent;
  return typeof header === 'string' ? parseTraceParent(header) : null;
}

function groupIn(found: unknown): string | null {
  const id: unknown = typeof found === 'object' && found !== null ? Reflect.get(found, 'postGroupId') : null;
  return isId(id) ? id.toLowerCase() : null;
}
