import type { ConnectOptions } from './connect.ts';
import type { Egress } from './egress.ts';

/** Loads the egress client at the first request. undici takes 20 MB, which an idle service does not need. */
export function lazyEgress(options: { allow: readonly string[] } & ConnectOptions): Egress {
  let loading: Promise<Egress> | null = null;
  const load = () => {
    loading ??= import('./egress.ts').then(({ createEgress }) => createEgress(options));
    return loading;
  };
  return {
    request: async (url, request) => (await load()).request(url, request),
    fetch: async (input, init) => (await load()).fetch(input, init),
    close: async () => (await loading)?.close(),
  };
}
