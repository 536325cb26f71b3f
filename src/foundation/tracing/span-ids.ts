import { randomBytes } from 'node:crypto';
import type { SpanContext } from '@opentelemetry/api';

let chosen: SpanContext | null = null;

/** The SDK asks this for the ids of new spans. */
export const spanIds = {
  generateTraceId: () => chosen?.traceId ?? randomBytes(16).toString('hex'),
  generateSpanId: () => chosen?.spanId ?? randomBytes(8).toString('hex'),
};

/** The span that `start` creates gets these ids. It must create only one. */
export function withIds<T>(ids: SpanContext, start: () => T): T {
  chosen = ids;
  try {
    return start();
  } finally {
    chosen = null;
  }
}
