/** What another app shared with the installed app. */
export interface Shared {
  readonly title: string;
  readonly text: string;
  readonly url: string;
  readonly files: readonly File[];
}

const scope = '/share';
const patienceMs = 3_000;

/** Asked for as soon as the page loads, because the worker keeps it for a short time, and signing in may take longer. */
let received: Promise<Shared | null> | null = null;

/** Lets phones share with the installed app. The worker sees no request except shares. */
export function startShareWorker() {
  const { pathname, search } = window.location;
  if (pathname === '/compose' && new URLSearchParams(search).has('shared')) received = askWorker();
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  const register = () => void navigator.serviceWorker.register('/share-worker.js', { scope }).catch(() => {});
  if (document.readyState === 'complete') register();
  else window.addEventListener('load', register, { once: true });
}

/** What was shared, once. Null if the page was not opened by a share; `{ isGone }` if the worker has nothing any more. */
export async function takeShared(): Promise<Shared | { isGone: true } | null> {
  const asked = received;
  received = null;
  return asked && ((await asked) ?? { isGone: true });
}

async function askWorker(): Promise<Shared | null> {
  const worker = (await navigator.serviceWorker?.getRegistration(scope))?.active;
  if (!worker) return null;
  const { port1, port2 } = new MessageChannel();
  const { promise, resolve } = Promise.withResolvers<Shared | null>();
  port1.onmessage = ({ data }) => resolve(data);
  setTimeout(() => resolve(null), patienceMs);
  worker.postMessage('take', [port2]);
  return promise;
}
