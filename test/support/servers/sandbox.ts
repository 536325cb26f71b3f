import { startSandbox } from '../../../sandbox/server.ts';
import { routeTo, sandboxApplications } from '../../../src/app.ts';
import type { Json } from '../../../src/foundation/lib/json.ts';
import type { PlatformAccess } from '../../../src/platforms/kit/http/client.ts';
import { secretWatch } from '../secrets/watch.ts';
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
  /** How many calls succeed before the fault. */
  skip?: number;
}

export interface SandboxRequest {
  host: string;
  operation: string;
  method: string;
  path: string;
  status: number | null;
  /** These two only with `recordBodies`. */
  request?: { headers: Record<string, string>; body: Json };
  response?: { headers: Record<string, string>; body: Json };
}
export interface SandboxSettings {
  now?: () => number;
  /** Makes `requests` also return the requests and responses in full. */
  recordBodies?: boolean;
}

export type TestSandbox = Awaited<ReturnType<typeof openSandbox>>;

/** A separate sandbox for a test file, and one network's control over it. */
export async function openSandbox(vendor: string, { now, recordBodies = false }: SandboxSettings = {}) {
  const { url, secrets, close } = await startSandbox({
    port: 0,
    host: '127.0.0.1',
    folder: null,
    processingMs: 30,
    recordBodies,
    ...(now && { now }),
  });

  const control = sandboxControl(url);

  /**
   * The service must not output any secret that the sandbox issued, and mails may contain no secrets except their
   * links.
   */
  async function watchedClose() {
    for (const secret of secrets()) secretWatch.secret('token of a network', secret);
    const mails = await control<{ text: string; html: string }[]>('GET', '/mail');
    for (const { text, html } of mails) secretWatch.output('a mail', `${text}\n${html}`, ['link token']);
    await close();
  }

  return {
    url,
    close: watchedClose,
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
    requests: () => control<SandboxRequest[]>('GET', `/requests?network=${vendor}`),
    /** Every token and secret it has issued. */
    secrets,
    fault: (fault: SandboxFault) => control('POST', '/faults', { network: vendor, ...fault }),
    clearFaults: () => control('DELETE', '/faults'),
    /** Turns a switch of the network on or off. */
    turn: (name: string, on: boolean) => control('POST', '/switches', { network: vendor, name, on }),
  };
}
