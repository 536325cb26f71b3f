import { SpanKind, trace } from '@opentelemetry/api';
import { failSpan, tracer, untilEnd } from './post-trace.ts';

/**
 * Requests made within a span become child spans. They record only the host, because paths and queries can contain
 * tokens, and they send no `traceparent`, because platforms take no part in our traces.
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
