import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { anImage, aVideo, type TestFile } from '../../../test/support/files/media.ts';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { failureOf, platformStage, standingClock, toTheEnd } from '../../../test/support/stages/platform.ts';
import { RetryLater } from '../kit/steps.ts';
import { linkedin } from './index.ts';
import { publish } from './publish.ts';

const { now, skip } = standingClock();
const { sandbox, aMember, aPost, content, postsOf } = platformStage(linkedin, { now });

const hashed = (file: Omit<TestFile, 'sha256'>): TestFile => ({
  ...file,
  sha256: createHash('sha256').update(file.bytes).digest('hex'),
});

/** Longer than two of the parts that LinkedIn splits a video into. */
function aLongVideo(): TestFile {
  const video = aVideo();
  return hashed({ ...video, bytes: Buffer.concat([video.bytes, Buffer.alloc(9_000_000, 'video')]) });
}

function aDocument(): TestFile {
  const bytes = Buffer.from('%PDF-1.4\n1 0 obj << /Type /Catalog >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n');
  return hashed({ kind: 'document', type: 'application/pdf', width: 0, height: 0, seconds: null, altText: '', bytes });
}

const bodyOf = (post: { request: { body: unknown } } | undefined) => post?.request.body as Record<string, object>;
const requestsTo = async (path: RegExp, method: string) =>
  (await sandbox().requests()).filter((request) => request.method === method && path.test(request.path)).length;

describe('a video', () => {
  test('is uploaded in parts and arrives complete', async () => {
    const [member, file] = [await aMember(), aLongVideo()];
    const run = aPost(member);
    const before = await requestsTo(/dms-uploads/, 'PUT');
    const remote = await toTheEnd(() => publish(content('Video', {}, [file]), run()), skip);
    expect(await postsOf(member)).toMatchObject([{ id: remote.id, media: [{ kind: 'video', sha256: file.sha256 }] }]);
    expect((await requestsTo(/dms-uploads/, 'PUT')) - before).toBe(3);
  });

  test('is uploaded again when a part was lost', async () => {
    const [member, file] = [await aMember(), aLongVideo()];
    const run = aPost(member);
    await sandbox().fault({ operation: 'upload', kind: 'reset_after', skip: 2 });
    await failureOf(toTheEnd(() => publish(content('Video', {}, [file]), run()), skip));
    await toTheEnd(() => publish(content('Video', {}, [file]), run()), skip);
    expect(await postsOf(member)).toMatchObject([{ media: [{ kind: 'video', sha256: file.sha256 }] }]);
  });
});

describe('images', () => {
  test('of a company page are posted when LinkedIn has processed them', async () => {
    const page = await aMember('company-gallery');
    const run = aPost(page);
    const file = { ...(await anImage()), altText: 'The team' };
    const remote = await toTheEnd(() => publish(content('One', {}, [file]), run()), skip);
    const [post] = await postsOf(page);
    expect(post).toMatchObject({ id: remote.id, media: [{ sha256: file.sha256 }] });
    expect(bodyOf(post).content).toEqual({
      media: { id: expect.stringMatching(/^urn:li:image:/), altText: 'The team' },
    });
    expect(await requestsTo(/\/rest\/images\/urn/, 'GET')).toBeGreaterThan(0);
  });

  test('that LinkedIn cannot process are rejected before the post is created', async () => {
    const page = await aMember('company-broken');
    const run = aPost(page);
    await sandbox().fault({ kind: 'processing_failed', operation: 'upload' });
    const post = content('Broken', {}, [await anImage()]);
    expect((await failureOf(toTheEnd(() => publish(post, run()), skip))).kind).toBe('rejected');
    expect(await postsOf(page)).toEqual([]);
  });

  test('of a member wait for some seconds, because the member may not read their state', async () => {
    const member = await aMember();
    const run = aPost(member, memorySteps({ now: () => new Date(now()) }));
    const checks = await requestsTo(/\/rest\/images\/urn/, 'GET');
    const post = content('Two', {}, [await anImage(), { ...(await anImage()), altText: 'Second' }]);
    await expect(publish(post, run())).rejects.toBeInstanceOf(RetryLater);
    expect(await postsOf(member)).toEqual([]);
    skip(5);
    await publish(post, run());
    const [kept] = await postsOf(member);
    expect(bodyOf(kept).content).toEqual({
      multiImage: {
        images: [
          { id: expect.stringMatching(/^urn:li:image:/) },
          { id: expect.stringMatching(/^urn:li:image:/), altText: 'Second' },
        ],
      },
    });
    expect(await requestsTo(/\/rest\/images\/urn/, 'GET')).toBe(checks);
  });
});

describe('a document', () => {
  test.for([
    ['Q3 results\nSwipe through!', 'Q3 results'],
    ['', 'Document'],
    ['é'.repeat(150), 'é'.repeat(100)],
  ] as const)('with the text %j has the title %j', async ([text, title]) => {
    const [page, file] = [await aMember(`company-docs-${title.length}`), aDocument()];
    const run = aPost(page);
    await toTheEnd(() => publish(content(text, {}, [file]), run()), skip);
    const [post] = await postsOf(page);
    expect(post).toMatchObject({ text, media: [{ sha256: file.sha256 }] });
    expect(bodyOf(post).content).toEqual({ media: { id: expect.stringMatching(/^urn:li:document:/), title } });
  });
});

test('a video among images is rejected before anything is sent', async () => {
  const run = aPost(await aMember());
  const before = (await sandbox().requests()).length;
  const failure = await failureOf(publish(content('Mixed', {}, [await anImage(), aVideo()]), run()));
  expect(failure.kind).toBe('rejected');
  expect(await sandbox().requests()).toHaveLength(before);
});
