import { SpanKind, trace } from '@opentelemetry/api';
import { failSpan, tracer, untilEnd } from './post-trace.ts';

/**
 * Requests that belong to a span become spans below it. They show the host alone, because paths and queries can hold tokens, and
 * they send no `traceparent`, because the platforms have no part in our traces.
 */
export const tracedFetch =
  (send: typeof fetch, hostOf: (url: URL) => string): typeof fetch =>
  (input, init) => {
    if (!trace.getActiveSpan()) return send(input, init);
    const host = hostOf(new URL(input instanceof Request ? input.url : input));
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
    const attributes = { 'http.request.method': method, 'server.address': host };
    return tracer.startActiveSpan(`${method} ${host}`, { kind: SpanKind.CLIENT, attributes }, (span) =>
      untilEnd(span, async () => {
        const response = await send(input, init);
        span.setAttribute('http.response.status_code', response.status);
        if (response.status >= 400) failSpan(span, String(response.status));
        return response;
      }),
    );
  };
