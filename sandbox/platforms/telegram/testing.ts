import type { Json } from '../../http/json.ts';
import type { StartOptions } from '../../server.ts';
import { startTestSandbox } from '../../testing.ts';

type Fields = { [name: string]: Json };

/** Starts a sandbox with one channel and returns calls of its bot. */
export async function startWithChannel(handle = 'news', options: Partial<StartOptions> = {}) {
  const sandbox = await startTestSandbox(options);
  return { sandbox, ...(await createChannel(sandbox, handle)) };
}

export async function createChannel(sandbox: Awaited<ReturnType<typeof startTestSandbox>>, handle: string) {
  const { account, credentials } = await sandbox.account(handle, 'telegram');
  const { botToken, chatId } = credentials;
  const base = `/api.telegram.org/bot${botToken}`;
  return {
    account,
    botToken,
    chatId,
    call: (method: string, fields: Fields = {}) =>
      sandbox.sendJson('POST', `${base}/${method}`, { chat_id: chatId, ...fields }),
    /** Sends multipart: objects as JSON text, files as parts. */
    upload(method: string, files: Record<string, Uint8Array>, fields: Fields = {}) {
      const form = new FormData();
      for (const [name, value] of Object.entries({ chat_id: chatId, ...fields })) {
        form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
      }
      for (const [name, bytes] of Object.entries(files))
        form.set(name, new Blob([new Uint8Array(bytes)]), `${name}.bin`);
      return sandbox.at(`${base}/${method}`, { method: 'POST', body: form });
    },
    posts: () => sandbox.posts('telegram'),
  };
}

/** Returns the status, the error code and the description. */
export async function errorOf(response: Promise<{ status: number; json(): Promise<Fields> }>) {
  const { status, json } = await response;
  const body = await json();
  return [status, body.error_code, body.description];
}
