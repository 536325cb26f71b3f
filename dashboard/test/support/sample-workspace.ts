import sharp from 'sharp';
import { Crier } from '../../../client/src/index.ts';
import { sandboxControl } from '../../../test/support/servers/sandbox-control.ts';
import type { Stage, StageUser } from './stage.ts';

/** IDs and addresses of the sample data. */
export interface SampleWorkspace {
  readonly user: StageUser;
  /** A thread with a first comment. */
  readonly published: string;
  readonly failed: string;
  readonly scheduled: string;
  readonly draft: string;
  readonly longWord: string;
  readonly arabic: string;
  readonly webhook: string;
  readonly connectionLink: string;
}

const day = 86_400_000;
const longWord = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2);
const texts = [
  'We are live. Read what changed in the release of this week',
  'صباح الخير من فريقنا، هذا منشور طويل بعض الشيء عن الإصدار الجديد',
  '今日は新しい機能を紹介します。予定した時刻に、すべてのチャンネルへ。',
  'Tip of the day: plan your week on Monday, and let it run',
  'Behind the scenes',
];

/**
 * An account after some weeks of use: channels and posts in every state, files, keys, a webhook, managed users. The webhook
 * delivers to `receiver`.
 */
export async function sampleWorkspace(stage: Stage, receiver: string): Promise<SampleWorkspace> {
  const user = await stage.aUser({
    networks: ['mastodon', 'bluesky', 'linkedin', 'threads', 'telegram', 'twitter'],
    plan: 'agency',
  });
  const crier = new Crier({ baseUrl: stage.url, apiKey: user.apiKey });
  await stage.service.database.pool.query('update users set workspace_enabled = true where id = $1', [user.id]);
  await nameChannels(stage, user);
  await crier.setPostingSlots({
    timeZone: 'Europe/Berlin',
    slots: [1, 3, 5].map((weekday) => ({ weekday, time: '09:30' })),
  });
  const posts = await writePosts(stage, user, crier);
  await beginDraft(stage, user);
  const webhook = await addWebhook(crier, receiver);
  const connectionLink = await addManagedUsers(crier);
  await crier.getPost({ postGroupId: '0'.repeat(24) }).catch(() => {});
  return { user, ...posts, webhook, connectionLink };
}

/** Realistic names, and channels that need attention. */
async function nameChannels({ service: { database } }: Stage, { channels, id }: StageUser) {
  const names = ['فريق النشر', '株式会社クライヤー広報部', longWord, 'Ada Lovelace', 'Harbour news', ''];
  for (const [index, platformId] of channels.entries()) {
    const [platform, account] = [
      platformId.slice(0, platformId.indexOf('-')),
      platformId.slice(platformId.indexOf('-') + 1),
    ];
    await database.pool.query(
      'update connections set display_name = $1 where user_id = $2 and platform = $3 and account_id = $4',
      [names[index], id, platform, account],
    );
  }
  const change = (platform: string, assignment: string) =>
    database.pool.query(`update connections set ${assignment} where user_id = $1 and platform = $2`, [id, platform]);
  await change('threads', `expires_at = now() + interval '5 days', refresh_expires_at = null`);
  await change('twitter', 'reconnect_required_at = now()');
}

async function writePosts(stage: Stage, { channels, id: userId }: StageUser, crier: Crier) {
  const [mastodon, bluesky, linkedin, threads, telegram] = channels as [string, string, string, string, string];
  const write = async (body: Parameters<Crier['createPost']>[0]) => (await crier.createPost(body)).postGroupId;
  const later = (days: number, hour = 9) => {
    const at = new Date(Date.now() + days * day);
    at.setUTCHours(hour, 0, 0, 0);
    return at.toISOString();
  };
  for (let index = 0; index < 30; index += 1) {
    const platforms = [[mastodon], [mastodon, bluesky], [bluesky, threads, linkedin], [linkedin]][index % 4]!;
    const scheduledTime = later(1 + index * 0.9, 6 + (index % 12));
    await write({ content: texts[index % texts.length]!, platforms, scheduledTime });
  }
  const arabic = await write({ content: texts[1]!, platforms: [mastodon, bluesky], scheduledTime: later(2, 15) });
  const long = await write({
    content: `${longWord} is one word.`,
    platforms: [mastodon, linkedin],
    scheduledTime: later(3),
    labels: [longWord.slice(0, 50), 'launch', 'summer menu'],
  });
  const draft = await write({
    content: 'A draft with pictures that is not finished yet',
    platforms: [mastodon, bluesky],
    labels: ['launch'],
  });
  for (const [index, background] of ['#3b5bdb', '#e8590c', '#2b8a3e'].entries()) {
    const size = index === 1 ? { width: 480, height: 900 } : { width: 1200, height: 800 };
    const picture = await sharp({ create: { ...size, channels: 3, background } })
      .png()
      .toBuffer();
    const altText = index === 0 ? 'The harbour in the morning' : undefined;
    await crier.uploadMedia(new Blob([new Uint8Array(picture)], { type: 'image/png' }), {
      postGroupId: draft,
      fileName: index === 2 ? `${longWord}.png` : `harbour-${index + 1}.png`,
      altText,
    });
  }
  const fault = sandboxControl(stage.service.sandbox.url);
  await fault('POST', '/faults', {
    network: 'telegram',
    operation: 'publish',
    kind: 'rate_limit',
    retryAfterSeconds: 25_200,
    times: 1,
  });
  const published = await write({
    content: 'One story in three parts\n---\nThe second part has a link: https://example.com/a-long/way\n---\nThe end.',
    platforms: [mastodon, bluesky, threads, linkedin],
    publishNow: true,
    firstComments: [{ text: 'More on our site: https://example.com', platforms: ['mastodon'] }],
  });
  const failed = await write({
    content: 'This one did not go everywhere',
    platforms: [telegram, mastodon],
    publishNow: true,
  });
  for (const content of ['Good morning', 'A picture of the harbour follows', texts[2]!])
    await write({ content, platforms: [mastodon, bluesky], publishNow: true });
  await allEnded(crier);
  // A month of history for charts and lists.
  await stage.service.database.pool.query(
    `update platform_posts set published_at = published_at - interval '1 day' * (ascii(right(id, 1)) % 20)
     where user_id = $1 and published_at is not null and post_group_id not in ($2, $3)`,
    [userId, published, failed],
  );
  const scheduled = await write({
    content: texts[0]!,
    platforms: [mastodon, bluesky, linkedin],
    scheduledTime: later(1, 16),
  });
  return { published, failed, scheduled, draft, longWord: long, arabic };
}

/** Composer drafts exist only in the dashboard, so they need a session. */
async function beginDraft({ url }: Stage, { email, password }: StageUser) {
  const signedIn = await new Crier({ baseUrl: url }).signIn({ email, password });
  if (!('accessToken' in signedIn)) throw new Error('The sign-in wants a second factor.');
  const crier = new Crier({ baseUrl: url, accessToken: String(signedIn.accessToken) });
  await crier.saveDraft({ draftId: 'd'.repeat(24), version: 0, draft: { text: 'Only a thought', channels: [] } });
}

/** Waits until nothing is being published. */
async function allEnded(crier: Crier) {
  const { posts } = await crier.listPosts({ limit: 100 });
  const now = Date.now();
  const due = posts.filter(({ scheduledTime, status }) => status !== 'draft' && Date.parse(scheduledTime ?? '') <= now);
  for (const { postGroupId } of due) await crier.waitUntilPublished(postGroupId, { timeoutMs: 30_000 });
}

async function addWebhook(crier: Crier, receiver: string): Promise<string> {
  const { webhook } = await crier.createWebhook({
    name: 'Team chat',
    url: receiver,
    events: ['post.published', 'post.failed'],
  });
  await crier.testWebhook({ webhookId: webhook._id }).catch(() => {});
  return webhook._id;
}

async function addManagedUsers(crier: Crier): Promise<string> {
  let link = '';
  for (const [index, displayName] of ['Harbour café', 'مقهى الميناء', '港のカフェ'].entries()) {
    const { user } = await crier.createWorkspaceUser({
      username: `client${index}-${Date.now()}@example.com`,
      displayName,
    });
    link = (await crier.getConnectionUrl({ userId: user._id })).url;
  }
  return link;
}
