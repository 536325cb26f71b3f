/** A signal that aborts with the caller's signal or after the timeout, whichever is first. */
export function timeoutSignal(timeoutMs: number, signal: AbortSignal | null | undefined, timeout: () => Error) {
  const limit = new AbortController();
  const onAbort = () => limit.abort(signal?.reason);
  const timer = setTimeout(() => limit.abort(timeout()), timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  return {
    signal: limit.signal,
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
