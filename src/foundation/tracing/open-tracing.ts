import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { spanIds } from './span-ids.ts';

export interface TracingOptions {
  /** The collector's URL, without the signal's path. */
  endpoint: string;
  /** The share of traces that are sent. The trace id decides, so either all spans of a trace are sent or none. */
  ratio: number;
  version: string;
}

/**
 * Sends spans to a collector by OTLP over HTTP until closed. Loaded only if tracing is on, because the SDK takes
 * memory.
 */
export function openTracing({ endpoint, ratio, version }: TracingOptions): { close(): Promise<void> } {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': 'crier', 'service.version': version })),
    sampler: new TraceIdRatioBasedSampler(ratio),
    idGenerator: spanIds,
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return {
    async close() {
      trace.disable();
      context.disable();
      // An unreachable collector must not delay the shutdown.
      await provider.shutdown().catch(() => {});
    },
  };
}
