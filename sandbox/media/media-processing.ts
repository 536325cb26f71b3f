import type { Call } from '../platform.ts';

/** When processing of an uploaded file ends and whether it fails, in the form that `store.media.add` expects. */
export function startProcessing(call: Call, processingMs = call.sandbox.options.processingMs) {
  const { faults } = call.sandbox;
  const fault = faults.take(call.platform.id, ['upload'], (kind) => kind === 'processing_failed');
  return { readyAt: call.sandbox.now() + processingMs, fails: fault !== undefined };
}
