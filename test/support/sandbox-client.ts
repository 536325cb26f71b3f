import { startSandbox } from '../../sandbox/server.ts';
import { routeTo, sandboxApplications } from '../../src/app.ts';
import type { Json } from '../../src/lib/json.ts';
import type { PlatformAccess } from '../../src/platforms/kit/client.ts';
import { sandboxControl } from './sandbox-control.ts';

export interface SandboxAccount {
  account: { id: string; handle: string; displayName: string; avatarUrl: string | null; profileUrl: string | null };
  credentials: Record<string, Json>;
}
export interface SandboxPost {
  id: string;
  account: string;
  text: string;
  media: { kind: string; bytes: number; sha256: string; altText?: string }[];
  inReplyTo: string | null;
  createdAt: string;
  url: string;
  request: { headers: Record<string, string>; body: Json };
}
export interface SandboxFault {
  kind:
    | 'status'
    | 'rate_limit'
    | 'timeout'
    | 'reset_before'
    | 'reset_after'
    | 'nonsense'
    | 'latency'
    | 'expired_token'
    | 'processing_failed';
  operation?: 'publish' | 'upload' | 'token' | 'comment' | 'status' | 'stats' | 'account' | 'other' | 'any';
  status?: number;
  retryAfterSeconds?: number;
  latencyMs?: number;
  times?: number;
  /** How many calls go well before the fault. */
  skip?: number;
}

export type TestSandbox = Awaited<ReturnType<typeof openSandbox>>;

/** A sandbox of its own for a test file, and one network's control over it. */
export async function openSandbox(vendor: string, { now }: { now?: () => number } = {}) {
  const { url, close } = await startSandbox({
    port: 0,
    host: '127.0.0.1',
    folder: null,
    processingMs: 30,
    ...(now && { now }),
  });

  const control = sandboxControl(url);

  return {
    url,
    close,
    control,
    route: routeTo(url),
    access: (timeoutMs = 10_000): PlatformAccess => ({
      fetch: globalThis.fetch,
      route: routeTo(url),
      timeoutMs,
      now: () => new Date(now?.() ?? Date.now()),
      applications: sandboxApplications,
    }),
    account: (handle: string) => control<SandboxAccount>('POST', '/accounts', { network: vendor, handle }),
    posts: (handle?: string) =>
      control<SandboxPost[]>(
        'GET',
        `/posts?${new URLSearchParams({ network: vendor, ...(handle && { account: handle }) })}`,
      ),
    requests: () =>
      control<{ operation: string; method: string; path: string }[]>('GET', `/requests?network=${vendor}`),
    fault: (fault: SandboxFault) => control('POST', '/faults', { network: vendor, ...fault }),
    clearFaults: () => control('DELETE', '/faults'),
  };
}
