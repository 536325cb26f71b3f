import type { Call } from './network.ts';

/** When the network will be done with an uploaded file, and whether it will fail: what `store.media.add` wants to know. */
export function startProcessing(call: Call, processingMs = call.sandbox.options.processingMs) {
  const { faults } = call.sandbox;
  const fault = faults.take(call.network.id, ['upload'], (kind) => kind === 'processing_failed');
  return { readyAt: call.sandbox.now() + processingMs, fails: fault !== undefined };
}
