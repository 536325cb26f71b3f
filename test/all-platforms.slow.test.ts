import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { platformIds, platforms } from '../src/platforms/index.ts';
import { eventually } from './support/eventually.ts';
import { anImage, aVideo, type TestFile } from './support/files/media.ts';
import { type CrierProcess, type DataFolder, dataFolder, startCrier } from './support/processes/crier.ts';
import type { SandboxPost } from './support/servers/sandbox.ts';
import { sandboxControl } from './support/servers/sandbox-control.ts';

/** One running Crier, as a client sees it, with all networks simulated. */
let folder: DataFolder;
let crier: CrierProcess;
let connections: Map<string, string>;

beforeAll(async () => {
  folder = await dataFolder();
  crier = await startCrier({ folder });
  const { body } = await call('GET', '/platform-connections');
  connections = new Map(
    body.connections.map(({ platformId }: { platformId: string }) => [nameOf(platformId), platformId]),
  );
});

afterAll(async () => {
  await crier.stop();
  await folder.remove();
});

const nameOf = (platformId: string) => platformId.split('-')[0] ?? '';

async function call(method: string, path: string, body?: object) {
  const response = await fetch(crier.ready.baseUrl + path, {
    method,
    headers: { 'x-service-key': crier.ready.demo!.apiKey, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the body, whatever its shape.
  return { status: response.status, body: (await response.json()) as any };
}

/** Draft, upload, publish, wait: the calls of a typical client. */
async function publish(content: string, networks: readonly string[], file: TestFile, platformSettings = {}) {
  const targets = networks.map((vendor) => connections.get(vendor));
  const { body: draft } = await call('POST', '/create-post', { content, platforms: targets, platformSettings });
  const { postGroupId } = draft;
  const upload = { postGroupId, fileName: `file.${file.type.split('/')[1]}`, contentType: file.type };
  const { body: address } = await call('POST', '/get-upload-url', upload);
  const headers = { 'content-type': file.type };
  await fetch(address.uploadUrl, { method: 'PUT', headers, body: new Uint8Array(file.bytes) });
  const sent = await call('PUT', `/update-post/${postGroupId}`, { publishNow: true });
  expect(sent.body).toMatchObject({ success: true });
  const group = async () => (await call('GET', `/get-post/${postGroupId}`)).body;
  await eventually(async () => expect((await group()).status).not.toBe('scheduled'), { interval: 100 });
  return group();
}

const postsAt = (vendor: string) =>
  sandboxControl(crier.ready.sandboxUrl!)<SandboxPost[]>('GET', `/posts?network=${vendor}`);

const postsWith = async (vendor: string, text: string) => (await postsAt(vendor)).filter((post) => post.text === text);

const all = Object.values(platforms);
const withImages = all.filter(({ limits }) => limits.images).map(({ id }) => id);
const withVideo = all.filter(({ limits }) => limits.video).map(({ id }) => id);

describe('one group, every network', () => {
  test('none is left out', () => {
    const tried = new Set<string>([...withImages, ...withVideo]);
    expect([...tried].sort()).toEqual([...platformIds].sort());
    expect(new Set(connections.keys())).toEqual(tried);
  });

  test.for([
    ['an image', withImages, () => anImage()],
    ['a video', withVideo, async () => aVideo()],
  ] as const)('takes %s, and holds what was sent, once', async ([what, networks, make]) => {
    const file = await make();
    const content = `To everybody, ${what}: Grüße 👋`;
    const group = await publish(content, networks, file);
    const outcomes = group.posts.map(({ platform, status, error }: Record<string, unknown>) => [
      platform,
      status,
      error,
    ]);
    expect(outcomes).toEqual(networks.map((vendor) => [vendor, 'published', undefined]));
    for (const { platform, postedId, permalink } of group.posts) {
      const posts = await postsWith(platform, content);
      const sha256 = createHash('sha256').update(file.bytes).digest('hex');
      expect({ platform, posts }).toMatchObject({
        platform,
        posts: [{ id: postedId, media: [{ kind: file.kind, sha256 }] }],
      });
      expect((await fetch(permalink)).status).toBe(200);
    }
  });
});

describe('[platform-settings] every setting arrives at its network', () => {
  const cases: [vendor: string, settings: object, arrives: object | string[]][] = [
    ['instagram', { videoType: 'STORIES' }, ['STORIES']],
    ['instagram', { videoType: 'REELS', shareToFeed: false }, ['REELS', 'share_to_feed', 'false']],
    [
      'tiktok',
      {
        viewerSetting: 'SELF_ONLY',
        allowComments: false,
        allowDuet: true,
        allowStitch: true,
        commercialContent: true,
        brandOrganic: true,
      },
      [
        'SELF_ONLY',
        '"disable_comment":true',
        '"disable_duet":false',
        '"disable_stitch":false',
        '"brand_organic_toggle":true',
      ],
    ],
    [
      'youtube',
      {
        privacy: 'unlisted',
        title: 'A title of its own',
        madeForKids: true,
        tags: ['crier', 'market square'],
        categoryId: '22',
      },
      ['unlisted', 'A title of its own', '"selfDeclaredMadeForKids":true', 'market square', '"categoryId":"22"'],
    ],
    ['threads', { replyControl: 'mentioned_only' }, ['mentioned_only']],
    ['telegram', { disableNotification: true, protectContent: true }, ['disable_notification', 'protect_content']],
  ];
  // Concurrent, because each waits for its network to process a video.
  test.concurrent.for(cases)('%s %o', async ([vendor, settings, expected]) => {
    const content = `With settings ${JSON.stringify(settings).length} on ${vendor}`;
    const group = await publish(content, [vendor], aVideo(), { [vendor]: settings });
    const [{ status, postedId }] = group.posts;
    expect(status).toBe('published');
    // A story shows no text, and a private video on TikTok gets no id.
    const post = (await postsAt(vendor)).find(({ id, text }) => id === postedId || text === content);
    const sent = JSON.stringify(post?.request.body);
    for (const part of expected as string[]) expect(sent).toContain(part);
  });
});
