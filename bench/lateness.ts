import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolder, startCrier } from '../test/support/crier-process.ts';

const posts = 20;
const aheadMs = 5_000;

/** How late a post that is scheduled seconds ahead reaches the platform, on an otherwise idle service. */
export async function lateness() {
  const folder = await dataFolder();
  const crier = await startCrier({ folder });
  try {
    const { baseUrl, sandboxUrl, demo } = crier.ready;
    const headers = { 'x-service-key': demo!.apiKey, 'content-type': 'application/json' };
    const accounts = await get<{ id: string }[]>(`${sandboxUrl}/_control/accounts?network=mastodon`);
    const platforms = [`mastodon-${accounts[0]!.id}@mastodon.social`];
    const due = new Map<string, number>();
    for (let i = 0; i < posts; i += 1) {
      const at = new Date(Date.now() + aheadMs + i * 137);
      const content = `late? ${i}`;
      due.set(content, at.getTime());
      await fetch(`${baseUrl}/create-post`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ content, platforms, scheduledTime: at.toISOString() }),
      });
    }
    await sleep(aheadMs + posts * 137 + 2_000);
    const arrived = await get<{ text: string; createdAt: string }[]>(`${sandboxUrl}/_control/posts?network=mastodon`);
    const late = arrived
      .filter(({ text }) => due.has(text))
      .map(({ text, createdAt }) => Date.parse(createdAt) - due.get(text)!)
      .sort((a, b) => a - b);
    return {
      'posts arrived': `${late.length} of ${posts}`,
      'late by, median (ms)': late[Math.floor(late.length / 2)] ?? 'none',
      'late by, worst (ms; < 500)': late.at(-1) ?? 'none',
    };
  } finally {
    await crier.stop();
    await folder.remove();
  }
}

const get = async <T>(url: string): Promise<T> => (await fetch(url)).json() as Promise<T>;
