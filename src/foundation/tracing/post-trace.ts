import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanOptions,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';

/** Does nothing until `openTracing` is called. */
export const tracer = trace.getTracer('crier');

/**
 * Everything that happens to a post is one trace, across processes and time. Nothing is stored for it: the trace id and
 * root derive from the id of the post group, so anyone who knows a post can find its trace.
 */
export const rootOfPost = (postGroupId: string): SpanContext => ({
  traceId: `00000000${postGroupId}`,
  spanId: postGroupId.slice(-16),
  traceFlags: TraceFlags.SAMPLED,
  isRemote: true,
});

export const traceOfPost = (postGroupId: string): Context =>
  trace.setSpanContext(ROOT_CONTEXT, rootOfPost(postGroupId));

/** Runs the work as a span in the post's trace. Requests it sends to platforms become child spans. */
export function inTraceOfPost<T>(
  postGroupId: string,
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer.startActiveSpan(name, options, traceOfPost(postGroupId), (span) => untilEnd(span, work));
}

/** Errors are recorded by type only, because their messages can contain user content. */
export async function untilEnd<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await work(span);
  } catch (error) {
    failSpan(span, error instanceof Error ? error.name : 'Error');
    throw error;
  } finally {
    span.end();
  }
}

export function failSpan(span: Span | undefined, type: string) {
  span?.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}
