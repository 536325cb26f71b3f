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

/** Does nothing until `openTracing` was called. */
export const tracer = trace.getTracer('crier');

/**
 * All that happens to a post is one trace, in whichever process and however much later. Nothing is stored for it, because the
 * trace and its root follow from the id of the post group: somebody who knows a post finds its trace.
 */
export const rootOfPost = (postGroupId: string): SpanContext => ({
  traceId: `00000000${postGroupId}`,
  spanId: postGroupId.slice(-16),
  traceFlags: TraceFlags.SAMPLED,
  isRemote: true,
});

export const traceOfPost = (postGroupId: string): Context =>
  trace.setSpanContext(ROOT_CONTEXT, rootOfPost(postGroupId));

/** Runs the work as a span in the trace of the post. Requests to platforms that it sends become spans below. */
export function inTraceOfPost<T>(
  postGroupId: string,
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer.startActiveSpan(name, options, traceOfPost(postGroupId), (span) => untilEnd(span, work));
}

/** Errors are told by their type alone, because their texts can hold what users wrote. */
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
