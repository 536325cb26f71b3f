import type { Json } from '../../json.ts';
import type { StartOptions } from '../../server.ts';
import { aSandbox } from '../../testing.ts';

type Fields = { [name: string]: Json };

/** A sandbox with one channel, and calls of the bot that administers it. */
export async function aChannel(handle = 'news', options: Partial<StartOptions> = {}) {
  const sandbox = await aSandbox(options);
  return { sandbox, ...(await channelIn(sandbox, handle)) };
}

export async function channelIn(sandbox: Awaited<ReturnType<typeof aSandbox>>, handle: string) {
  const { account, credentials } = await sandbox.account(handle, 'telegram');
  const { botToken, chatId } = credentials;
  const base = `/api.telegram.org/bot${botToken}`;
  return {
    account,
    botToken,
    chatId,
    call: (method: string, fields: Fields = {}) =>
      sandbox.sendJson('POST', `${base}/${method}`, { chat_id: chatId, ...fields }),
    /** As multipart: objects as JSON text, files as parts. */
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

/** The status, and the network's own words. */
export async function refusalOf(answer: Promise<{ status: number; json(): Promise<Fields> }>) {
  const { status, json } = await answer;
  const body = await json();
  return [status, body.error_code, body.description];
}
