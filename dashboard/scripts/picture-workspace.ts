import sharp from 'sharp';
import { Crier } from '../../client/src/index.ts';
import { connectSandboxAccount } from '../../src/features/connections/connect/sandbox.ts';
import type { PlatformId } from '../../src/platforms/index.ts';
import { sandboxControl } from '../../test/support/servers/sandbox-control.ts';
import type { Stage, StageUser } from '../test/support/stage.ts';

/** The account in the pictures of the docs: a café that posts a few times a week. */
export interface PictureWorkspace {
  readonly user: StageUser;
  /** Published on every channel, with a first comment. The answer of one network was lost on the way. */
  readonly published: string;
}

const networks: readonly PlatformId[] = ['mastodon', 'bluesky', 'linkedin', 'threads', 'telegram', 'instagram'];
const day = 86_400_000;

/** Days from today, hour of the day in UTC, networks by their place in `networks`, text. */
const plan: readonly [days: number, hour: number, channels: readonly number[], text: string][] = [
  [-23, 7, [0, 1], 'Good morning from the harbour. The first boats are in.'],
  [-21, 10, [2], 'We are hiring: a baker with a love of early mornings.'],
  [-19, 8, [0, 1, 3], 'New on the menu: cardamom buns, from seven until they are gone.'],
  [-17, 15, [0, 4], 'Live music on Friday. Doors open at six.'],
  [-15, 7, [0, 1, 2], 'A year of refill cups: 11,000 paper cups saved.'],
  [-12, 9, [3], 'Behind the counter: how we dial in a new roast.'],
  [-10, 11, [0, 1, 4], 'The terrace is open again. Blankets are on us.'],
  [-8, 8, [0, 2], 'Meet Ines, who roasts every bean you drink here.'],
  [-6, 14, [0, 1, 3], 'Saturday workshop: latte art for beginners. Eight places.'],
  [-4, 7, [0, 4], 'Fresh from the oven: rye bread with walnuts.'],
  [-2, 10, [0, 1, 2], 'Our winter blend is back: dark chocolate, orange, a little smoke.'],
  [-1, 16, [0, 3], 'Thank you for last night. What a crowd!'],
  [1, 8, [0, 1, 4], 'Two new single origins from Huila land on Thursday.'],
  [1, 15, [2], 'How a small café plans a month of posts in an hour.'],
  [2, 9, [0, 1, 3], 'Friday feeling: cinnamon, cardamom, repeat.'],
  [3, 10, [0, 4], 'Open all weekend, with brunch until three.'],
  [5, 8, [0, 1, 2], 'Monday refill: bring your cup, save 50 cents.'],
  [6, 12, [3], 'Ask our baker anything. We collect questions until noon.'],
  [7, 9, [0, 1], 'The kettle is on. So is the heating.'],
  [8, 14, [0, 2, 4], 'Book the back room for your team breakfast.'],
  [9, 8, [0, 1, 3], 'Gift cards are here, for everyone who has everything.'],
  [11, 16, [0, 1], 'Carols at the quay, Sunday at four.'],
  [12, 9, [2], 'What we learned from a year without paper cups.'],
  [14, 8, [0, 1, 3, 4], 'Advent calendar, door one: free filter coffee until ten.'],
];

export async function pictureWorkspace(stage: Stage): Promise<PictureWorkspace> {
  const account = await stage.aUser({ plan: 'agency' });
  const channels: string[] = [];
  for (const platform of networks) {
    const handle = platform === 'telegram' ? 'harbourcoffeenews' : 'harbourcoffee';
    const { app, sandbox } = stage.service;
    channels.push((await connectSandboxAccount(app, sandbox.url, account.id, { platform, handle })).platformId);
  }
  await stage.service.database.pool.query('update connections set display_name = $1 where user_id = $2', [
    'Harbour Coffee',
    account.id,
  ]);
  const user = { ...account, channels };
  const crier = new Crier({ baseUrl: stage.url, apiKey: user.apiKey });
  await crier.setPostingSlots({
    timeZone: 'Europe/Berlin',
    slots: [1, 3, 5].map((weekday) => ({ weekday, time: '09:30' })),
  });
  await writePlan(stage, user, crier);
  const published = await publishEverywhere(stage, user, crier);
  await addAudience(stage, user, crier);
  return { user, published };
}

/** Posts of the past are published now and then moved to their days. */
async function writePlan({ service }: Stage, { channels }: StageUser, crier: Crier) {
  for (const [days, hour, targets, content] of plan) {
    const at = new Date(Date.now() + days * day);
    at.setUTCHours(hour, hour % 2 ? 30 : 0, 0, 0);
    const platforms = targets.map((index) => channels[index]!);
    if (days > 0) await crier.createPost({ content, platforms, scheduledTime: at.toISOString() });
    else {
      const { postGroupId } = await crier.createPost({ content, platforms, publishNow: true });
      await crier.waitUntilPublished(postGroupId, { timeoutMs: 30_000 });
      await service.database.pool.query('update post_groups set scheduled_at = $1 where id = $2', [at, postGroupId]);
      await service.database.pool.query('update platform_posts set published_at = $1 where post_group_id = $2', [
        at,
        postGroupId,
      ]);
    }
  }
}

/** People of the sandbox who follow the account on Mastodon, and like, repost and answer what it wrote. */
async function addAudience({ service: { sandbox } }: Stage, { channels }: StageUser, crier: Crier) {
  const control = sandboxControl(sandbox.url);
  const { posts } = await crier.listPosts({ status: 'published', limit: 100 });
  const statuses = posts.flatMap((group) =>
    ('posts' in group ? group.posts : []).filter(({ platform }) => platform === 'mastodon'),
  );
  const of = `${sandbox.url}/mastodon.social/api/v1`;
  for (let fan = 0; fan < 42; fan += 1) {
    const { credentials } = await control<{ credentials: { accessToken: string } }>('POST', '/accounts', {
      network: 'mastodon',
      handle: `guest${fan}`,
      scope: 'read write',
    });
    const headers = { authorization: `Bearer ${credentials.accessToken}`, 'content-type': 'application/json' };
    const send = (path: string, body = {}) =>
      fetch(`${of}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    await send(`/accounts/${channels[0]!.slice('mastodon-'.length).split('@')[0]}/follow`);
    for (const [index, { postedId }] of statuses.entries()) {
      if ((fan * 7 + index * 5) % 11 < 3 + (index % 4)) await send(`/statuses/${postedId}/favourite`);
      if ((fan * 5 + index * 3) % 17 < 2) await send(`/statuses/${postedId}/reblog`);
      if ((fan * 3 + index) % 23 === 0) await send('/statuses', { status: 'Lovely!', in_reply_to_id: postedId });
    }
  }
}

/** Mastodon takes the post and the connection breaks before it answers: the history shows how Crier gets it there once. */
async function publishEverywhere({ service }: Stage, { channels }: StageUser, crier: Crier): Promise<string> {
  await sandboxControl(service.sandbox.url)('POST', '/faults', {
    network: 'mastodon',
    operation: 'publish',
    kind: 'reset_after',
    times: 1,
  });
  const { postGroupId } = await crier.createPost({
    content: 'Gingerbread season starts now. First tray at seven.',
    platforms: channels.slice(0, 4),
    firstComments: [{ text: 'The recipe: https://harbour.example/gingerbread', platforms: ['mastodon'] }],
    publishNow: true,
  });
  await crier.waitUntilPublished(postGroupId, { timeoutMs: 150_000 });
  return postGroupId;
}

/** A picture that is ours to give away. */
export function harbourPhoto(): Promise<Buffer> {
  const boat = (
    x: number,
    y: number,
    scale: number,
    hull: string,
  ) => `<g transform="translate(${x} ${y}) scale(${scale})">
    <path d="M-90 0 H90 L64 44 H-64 Z" fill="${hull}"/><rect x="-4" y="-150" width="8" height="150" fill="#3b2f2f"/>
    <path d="M8 -146 L82 -12 H8 Z" fill="#fff4e0"/><path d="M-8 -120 L-62 -12 H-8 Z" fill="#f3d9b1"/></g>`;
  const waves = Array.from({ length: 26 }, (_, index) => {
    const [x, y] = [(index * 197) % 1200, 470 + ((index * 61) % 310)];
    return `<rect x="${x}" y="${y}" width="${70 + (index % 5) * 30}" height="5" rx="2" fill="#ffd9a0" opacity="${0.15 + (index % 4) * 0.08}"/>`;
  });
  return sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#27408b"/>
      <stop offset=".55" stop-color="#e8825a"/><stop offset="1" stop-color="#ffd08a"/></linearGradient>
      <linearGradient id="sea" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#c96f4f"/>
      <stop offset="1" stop-color="#1d2f5f"/></linearGradient></defs>
    <rect width="1200" height="460" fill="url(#sky)"/><circle cx="760" cy="430" r="110" fill="#fff1c9"/>
    <path d="M0 460 V330 L120 280 L210 340 L330 300 L420 400 L520 460 Z" fill="#4b3b63"/>
    <rect y="455" width="1200" height="345" fill="url(#sea)"/>${waves.join('')}
    ${boat(360, 560, 1.25, '#8c2f39')}${boat(880, 520, 0.8, '#1b4965')}${boat(1060, 640, 1.4, '#2d6a4f')}</svg>`),
  )
    .jpeg({ quality: 88 })
    .toBuffer();
}
