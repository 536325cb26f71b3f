import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anImage, aVideo } from '../../../../test/support/files/media.ts';
import { aTaggedImage, type TaggedImage, tagsOf } from '../../../../test/support/files/tagged-image.ts';
import { serveCounted } from '../../../../test/support/servers/egress.ts';
import { linkedinStage } from '../../../../test/support/stages/linkedin.ts';

/** Files of a web server, by path. */
const files = new Map<string, Buffer>();
let web: Awaited<ReturnType<typeof serveCounted>>;
beforeAll(async () => {
  web = await serveCounted((request, response) => {
    const file = files.get(request.url ?? '');
    response.writeHead(file ? 200 : 404).end(file);
  });
});
afterAll(() => web[Symbol.asyncDispose]());

const stage = linkedinStage({ environment: () => ({ EGRESS_ALLOW: web.place }) });
let platformId: string;
let member: Awaited<ReturnType<typeof stage.aMember>>;
let postedId: string;
beforeAll(async () => {
  ({ platformId, member } = await stage.aConnection(stage.ada()));
  postedId = await member.publish('The post');
});

const create = (body: object) => stage.ada().call('POST', '/linkedin-comments', { postedId, platformId, ...body });
const remove = (body: object) => stage.ada().call('DELETE', '/linkedin-comments', { postedId, platformId, ...body });
const commentsOn = async (post: string) => (await stage.posts()).filter(({ inReplyTo }) => inReplyTo === post);
const aPost = (text: string) => member.publish(text);

describe('[linkedin-comments] POST /linkedin-comments', () => {
  test('[linkedin-comments.response] creates a comment and answers with what LinkedIn returns', async () => {
    const on = await aPost('Comment on me');
    const { status, body } = await create({ postedId: on, message: 'Well (done) #1 a_b' });
    expect([status, body]).toEqual([
      201,
      {
        success: true,
        comment: expect.objectContaining({
          id: expect.stringMatching(/^\d+$/),
          commentUrn: expect.stringMatching(/^urn:li:comment:\(urn:li:activity:\d+,\d+\)$/),
          message: 'Well (done) #1 a_b',
          created: { time: expect.any(Number), actor: member.urn },
          actor: member.urn,
        }),
      },
    ]);
    expect(body.comment).not.toHaveProperty('imageUrn');
    expect(await commentsOn(on)).toMatchObject([{ text: 'Well (done) #1 a_b' }]);
  });

  test('[linkedin-comments.parent] parentComment: replies to a comment', async () => {
    const on = await aPost('Answer below me');
    const { commentUrn } = await member.comment(on, 'First');
    expect((await create({ postedId: on, message: 'Second', parentComment: commentUrn })).status).toBe(201);
    expect(await commentsOn(commentUrn)).toMatchObject([
      { text: 'Second', request: { body: { object: on, parentComment: commentUrn } } },
    ]);
  });

  test("[linkedin-comments.parent] parentComment may have the short form of LinkedIn's links", async () => {
    const on = await aPost('Answer below me by link');
    const { commentUrn } = await member.comment(on, 'First');
    const parentComment = commentUrn.replace('urn:li:activity', 'activity');
    expect((await create({ postedId: on, message: 'Second', parentComment })).status).toBe(201);
    expect(await commentsOn(commentUrn)).toMatchObject([{ text: 'Second' }]);
  });

  test('[linkedin-comments.response] a comment that LinkedIn accepts without a body is created, once', async () => {
    const terse = await stage.aConnection(stage.ada(), 'terse-member');
    const on = await aPost('Say little');
    const { status, body } = await create({ postedId: on, platformId: terse.platformId, message: 'Hello' });
    const id = expect.stringMatching(/^\d+$/);
    const comment = { id, commentUrn: `urn:li:comment:(${on},${body.comment.id})`, message: 'Hello' };
    expect([status, body]).toEqual([201, { success: true, comment }]);
    expect(await commentsOn(on)).toHaveLength(1);
  });

  test('[linkedin-comments.posted-id] an activity URN is sent unchanged, and if LinkedIn refuses it, as ugcPost and share', async () => {
    const on = await aPost('Known by three names');
    const { object } = await member.comment(on, 'First');
    const before = (await stage.requests()).length;
    expect((await create({ postedId: object, message: 'By activity' })).status).toBe(201);
    const asActivity = on.replace('share', 'activity');
    expect((await create({ postedId: asActivity, message: 'By number' })).status).toBe(201);
    expect(await commentsOn(on)).toMatchObject([{}, { text: 'By activity' }, { text: 'By number' }]);
    const asked = (await stage.requests()).slice(before).filter(({ method }) => method === 'POST');
    const urns = asked.map(({ path }) => decodeURIComponent(path).match(/urn:li:\w+:\d+/)?.[0]);
    expect(urns).toEqual([object, asActivity, on.replace('share', 'ugcPost'), on]);
  });

  test('[linkedin.mentions] mentions are converted and count as the visible name', async () => {
    const on = await aPost('Mention somebody');
    const mention = '@{urn:li:person:aB3dE|Ann Lee}';
    const message = `${mention} ${'a'.repeat(1242)}`;
    expect(message.length).toBeGreaterThan(1250);
    expect((await create({ postedId: on, message })).status).toBe(201);
    expect((await commentsOn(on))[0]).toMatchObject({
      text: `Ann Lee ${'a'.repeat(1242)}`,
      request: {
        body: {
          message: {
            attributes: [
              {
                start: 0,
                length: 7,
                value: { 'com.linkedin.common.MemberAttributedEntity': { member: 'urn:li:person:aB3dE' } },
              },
            ],
          },
        },
      },
    });
  });

  const valid = { message: 'Hello' };
  const webProfile =
    'LinkedIn cannot render mentions that use web-profile ids (urn:li:person:ACoAA…). Use the native member id LinkedIn returns to Service, such as those of GET /linkedin-mentionables.';
  test.for<[error: string, ...bodies: object[]]>([
    [
      'postedId, message, and platformId are required',
      {},
      { ...valid, postedId: null },
      { ...valid, postedId: '' },
      { ...valid, platformId: null },
    ],
    [
      'postedId must be a valid LinkedIn URN',
      { ...valid, postedId: 'urn:li:person:a' },
      { ...valid, postedId: '7400000000000000001' },
      { ...valid, postedId: 7 },
    ],
    ['message must be a string', { message: 7 }],
    ['imageUrl must be a string', { ...valid, imageUrl: 7 }],
    ['message cannot be empty without imageUrl', { message: '' }, { message: ' \n ' }, { message: '', imageUrl: '  ' }],
    ['comment text cannot exceed 10000 characters', { message: 'a'.repeat(10_001) }],
    [
      'comment text cannot exceed 1250 characters after mention processing',
      { message: 'a'.repeat(1251) },
      { message: 'a'.repeat(10_000) },
      { message: `@{urn:li:person:aB3dE|Ann Lee}${'a'.repeat(1244)}` },
    ],
    [
      'parentComment must be a valid LinkedIn URN',
      { ...valid, parentComment: 'urn:li:share:1' },
      { ...valid, parentComment: 7 },
    ],
    [
      webProfile,
      { message: 'Hi @{urn:li:person:ACoAAB12|Ann Lee}' },
      { message: 'Hi @{urn:li:person:ACoAAB.12|Ann Lee}' },
    ],
  ])('[linkedin-comments.create-errors] 400 %s', async ([error, ...bodies]) => {
    for (const body of bodies) {
      const answer = await create(body);
      expect([answer.status, answer.body]).toEqual([400, { error }]);
    }
  });

  test('[linkedin-comments.create-failed] a failure of LinkedIn is answered with 500', async () => {
    await stage.fault({ kind: 'status', operation: 'comment', status: 503 });
    const { status, body } = await create(valid);
    expect([status, body]).toMatchObject([500, { error: 'Failed to create LinkedIn comment' }]);
  });

  test('[linkedin.forwarded] a refusal of LinkedIn keeps its status', async () => {
    const { status, body } = await create({ ...valid, postedId: 'urn:li:share:1' });
    expect([status, body]).toEqual([
      404,
      {
        error: 'Failed to create LinkedIn comment',
        details: 'NOT_FOUND: Unable to obtain activity for urn: urn:li:share:1',
      },
    ]);
  });

  describe('[linkedin-comments.image] imageUrl', () => {
    const at = (name: string, file: Buffer) => {
      files.set(`/${name}`, file);
      return `${web.url}/${name}`;
    };

    test.for(['jpeg', 'png', 'gif'] as const)(
      '[linkedin-comments.image] a %s is uploaded and shown, also without words',
      async (type) => {
        const on = await aPost(`Show me a ${type}`);
        const { bytes, sha256 } = await anImage({ type });
        const imageUrl = ` ${at(`picture.${type}`, bytes)} `;
        const { status, body } = await create({ postedId: on, message: '', imageUrl });
        expect([status, body.comment.imageUrn]).toEqual([201, expect.stringMatching(/^urn:li:image:/)]);
        expect(await commentsOn(on)).toMatchObject([{ text: '', media: [{ kind: 'image', sha256 }] }]);
      },
    );

    test.for<[title: string, TaggedImage, expected: object]>([
      ['leaves without the place where it was taken', {}, { width: 300, height: 200, format: 'jpeg' }],
      ['is turned as its metadata says', { orientation: 6 }, { width: 200, height: 300, format: 'jpeg' }],
      ['keeps its format', { format: 'png' }, { width: 300, height: 200, format: 'png' }],
    ])('[linkedin-comments.image] a photo %s', async ([title, options, expected]) => {
      const on = await aPost(`A photo that ${title}`);
      const photo = await aTaggedImage(options);
      expect(await tagsOf(photo)).toMatchObject({ exif: expect.anything(), xmp: expect.anything() });
      const imageUrl = at(`photo-${title.length}`, photo);
      expect((await create({ postedId: on, message: 'Look', imageUrl })).status).toBe(201);
      const [comment] = await commentsOn(on);
      const url = `${stage.service().sandbox.url}/media/${comment?.media[0]?.sha256}`;
      const sent = Buffer.from(await (await fetch(url)).arrayBuffer());
      expect(await tagsOf(sent)).toMatchObject({ exif: undefined, xmp: undefined, orientation: undefined });
      expect(await sharp(sent).metadata()).toMatchObject(expected);
    });

    test('[linkedin-comments.image] an image that cannot be fetched or that LinkedIn does not accept prevents the comment', async () => {
      const on = await aPost('Nothing comes below me');
      const wide = (width: number, height: number) =>
        sharp({ create: { width, height, channels: 3, background: 'red' } })
          .png()
          .toBuffer();
      const pages = Array.from({ length: 251 }, (_, index) => Buffer.alloc(3 * 2 * 2, (index % 2) * 255));
      const gif = await sharp(Buffer.concat(pages), { raw: { width: 2, height: 502, channels: 3, pageHeight: 2 } })
        .gif({ loop: 0 })
        .toBuffer();
      expect((await sharp(gif, { animated: true }).metadata()).pages).toBe(251);
      const cases: [url: string, error: string][] = [
        ['no address', 'imageUrl must be a public https URL'],
        ['http://example.com/a.png', 'imageUrl must be a public https URL'],
        ['https://127.0.0.1/a.png', 'imageUrl must be a public https URL'],
        ['https://user:pass@example.com/a.png', 'imageUrl must be a public https URL'],
        [`${web.url}/missing.png`, 'imageUrl could not be fetched'],
        [at('a.webp', (await anImage({ type: 'webp' })).bytes), 'imageUrl must point to a JPEG, PNG or GIF image'],
        [at('a.mp4', aVideo().bytes), 'imageUrl must point to a JPEG, PNG or GIF image'],
        [at('a.txt', Buffer.from('text')), 'imageUrl must point to a JPEG, PNG or GIF image'],
        [at('large.png', Buffer.alloc(10 * 1_048_576 + 1)), 'The image at imageUrl must be 10 MB or smaller'],
        [at('wide.png', await wide(6026, 6000)), 'The image at imageUrl must have fewer than 36152320 pixels'],
        [at('long.gif', gif), 'A GIF at imageUrl can have at most 250 frames'],
      ];
      for (const [imageUrl, error] of cases) {
        const { status, body } = await create({ postedId: on, message: 'Look', imageUrl });
        expect([imageUrl, status, body.error]).toEqual([imageUrl, 400, error]);
      }
      expect(await commentsOn(on)).toEqual([]);
    });

    test('[linkedin-comments.image] an image that cannot be uploaded to LinkedIn prevents the comment', async () => {
      const on = await aPost('Nor below me');
      await stage.fault({ kind: 'status', operation: 'upload', status: 500 });
      const imageUrl = at('fine.png', (await anImage({ type: 'png' })).bytes);
      const { status, body } = await create({ postedId: on, message: 'Look', imageUrl });
      expect([status, body.error]).toEqual([500, 'Failed to create LinkedIn comment']);
      expect(await commentsOn(on)).toEqual([]);
    });
  });
});

describe('[linkedin-comments.delete] DELETE /linkedin-comments', () => {
  const idIn = (urn: string) => urn.match(/,(\d+)\)$/)?.[1] ?? '';

  test('[linkedin-comments.delete] deletes by number or URN in the body', async () => {
    const on = await aPost('Comments go again');
    const short = (urn: string) => urn.replace('urn:li:activity', 'activity');
    for (const name of [idIn, short, (urn: string) => urn]) {
      const { commentUrn } = await member.comment(on, 'Soon gone');
      const commentId = name(commentUrn);
      const { status, body } = await remove({ postedId: on, commentId });
      expect([status, body]).toEqual([200, { success: true, deleted: commentId }]);
    }
    expect(await commentsOn(on)).toEqual([]);
  });

  test('[linkedin.body-or-query] deletes by query parameters, with or without a Content-Type', async () => {
    const on = await aPost('Comments go by query');
    const types: Record<string, string>[] = [{}, { 'content-type': 'application/json' }];
    for (const headers of types) {
      const { commentUrn } = await member.comment(on, 'Soon gone');
      const query = new URLSearchParams({ postedId: on, commentId: commentUrn, platformId });
      const { status, body } = await stage.ada().call('DELETE', `/linkedin-comments?${query}`, undefined, headers);
      expect([status, body]).toEqual([200, { success: true, deleted: commentUrn }]);
    }
    expect(await commentsOn(on)).toEqual([]);
  });

  test.for<[error: string, ...bodies: object[]]>([
    [
      'postedId, commentId, and platformId are required',
      {},
      { commentId: '' },
      { commentId: '1', postedId: null },
      { commentId: '1', platformId: null },
    ],
    [
      'commentId must be a valid LinkedIn URN or numeric ID',
      { commentId: 'x' },
      { commentId: 7 },
      { commentId: 'urn:li:share:1' },
    ],
    ['postedId must be a valid LinkedIn URN', { commentId: '1', postedId: 'x' }],
  ])('[linkedin-comments.delete-errors] 400 %s', async ([error, ...bodies]) => {
    for (const body of bodies) {
      const answer = await remove(body);
      expect([answer.status, answer.body]).toEqual([400, { error }]);
    }
  });

  test('[linkedin-comments.delete-failed] an unknown comment is 404 and a failure of LinkedIn 500, with details', async () => {
    const unknown = await remove({ commentId: '1' });
    expect([unknown.status, unknown.body]).toEqual([
      404,
      { error: 'Failed to delete LinkedIn comment', details: 'NOT_FOUND: Could not find comment: 1' },
    ]);
    await stage.fault({ kind: 'status', operation: 'other', status: 500 });
    const failed = await remove({ commentId: '1' });
    expect([failed.status, failed.body]).toEqual([
      500,
      { error: 'Failed to delete LinkedIn comment', details: 'INTERNAL_SERVER_ERROR: Internal Server Error' },
    ]);
  });
});
