import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../database/temporary-server.ts';

export interface Page {
  open(url: string): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the page answers; the test says what it expects.
  evaluate(expression: string): Promise<any>;
  /** Evaluates repeatedly until the result is true. */
  until(expression: string): Promise<void>;
  /** Sends a command of the DevTools protocol. */
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  [Symbol.asyncDispose](): Promise<void>;
}

interface Answer {
  id?: number;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** A page in a real headless browser, driven by the DevTools protocol. */
export async function openChromium(): Promise<Page> {
  const profile = await temporaryFolder();
  const flags = [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--remote-debugging-port=0',
    '--window-size=1280,900',
  ];
  const child = spawn(
    process.env.CHROMIUM ?? 'chromium',
    [...flags, `--user-data-dir=${profile.path}`, 'about:blank'],
    {
      stdio: 'ignore',
    },
  );
  const ended = once(child, 'exit');
  const socket = new WebSocket(await addressIn(profile.path));
  await once(socket, 'open');
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer: Answer = JSON.parse(String(data));
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  let count = 0;
  let sessionId: unknown;
  async function send(method: string, params: object = {}) {
    count += 1;
    const answered = new Promise<Answer>((resolve) => waiting.set(count, resolve));
    socket.send(JSON.stringify({ id: count, method, params, ...(sessionId !== undefined && { sessionId }) }));
    const { result = {}, error } = await answered;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  sessionId = (await send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
  const evaluate: Page['evaluate'] = async (expression) => {
    const answer = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (answer.exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(answer.exceptionDetails)}`);
    return (answer.result as { value: unknown }).value;
  };
  /** A page that is being replaced answers no question: the next one will. */
  const isTrue = (expression: string) =>
    evaluate(expression).catch((error: Error) => {
      if (!error.message.includes('navigated or closed')) throw error;
      return false;
    });
  async function until(expression: string) {
    const deadline = AbortSignal.timeout(60_000);
    while (!(await isTrue(expression))) {
      if (deadline.aborted) throw new Error(`This did not become true within a minute: ${expression}`);
      await sleep(20);
    }
  }
  return {
    send,
    evaluate,
    until,
    async open(url) {
      await send('Page.navigate', { url });
      await until(
        `location.href.startsWith(${JSON.stringify(url.split('#')[0])}) && document.readyState !== 'loading'`,
      );
    },
    async [Symbol.asyncDispose]() {
      socket.close();
      child.kill('SIGKILL');
      await ended;
      await profile.remove();
    },
  };
}

/** The browser writes its address into its profile. */
async function addressIn(profile: string): Promise<string> {
  while (true) {
    const [port, path] = (await readFile(`${profile}/DevToolsActivePort`, 'utf8').catch(() => '')).split('\n');
    if (path) return `ws://127.0.0.1:${port}${path}`;
    await sleep(50);
  }
}
