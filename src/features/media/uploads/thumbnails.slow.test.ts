import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { pdf } from '../../../../test/support/files/inspection.ts';
import { anImage, aVideo } from '../../../../test/support/files/media.ts';
import { aTaggedImage, pixelsOf, tagsOf } from '../../../../test/support/files/tagged-image.ts';
import { drivers, type MediaService, mediaService } from '../../../../test/support/service/media-service.ts';
import { beginForm, type FormPart, sendForm } from '../../../../test/support/service/send-form.ts';
import type { Answer, TestUser } from '../../../../test/support/service/service.ts';
import { type Storage, StorageError } from '../../../foundation/storage/storage.ts';
import { buildServer } from '../../../surfaces/server.ts';

/** contract.md#upload-youtube-thumbnail and contract.md#upload-instagram-cover. */

const mb = 1_048_576;
let service: MediaService;
let ada: TestUser;
let group: string;

// Other tests on this machine use the common folder for temporary files.
let temporaryFiles: string;
beforeAll(async () => {
  temporaryFiles = await mkdtemp(join(tmpdir(), 'crier-test-'));
  vi.stubEnv('TMPDIR', temporaryFiles);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(temporaryFiles, { recursive: true });
});

const query = async (text: string, values: unknown[] = []) => (await service.database.pool.query(text, values)).rows;
/** Deletes all records and files. */
async function startEmpty() {
  await query('delete from media');
  await query(`update orphaned_files set delete_after = '2000-01-01', delete_again_at = null`);
  await service.keptKeys();
}
const refusal = ({ status, body }: Answer) => [status, body.error];
const leftovers = async () => [
  await service.keptKeys(),
  await query('select * from orphaned_files'),
  await query('select * from media'),
  (await readdir(tmpdir())).filter((name) => name.startsWith('crier-thumbnail-')),
];
const nothing = [[], [], [], []];

interface Sent {
  base?: string;
  headers?: Record<string, string>;
  chunked?: boolean;
}
const send = (path: string, parts: readonly FormPart[], { base, headers = {}, chunked = false }: Sent = {}) =>
  sendForm({
    url: `${base ?? service.reach(service.app.publicUrl)}/api/v1${path}`,
    headers: { 'x-service-key': ada.apiKey, ...headers },
    parts,
    chunked,
  });

/** A PNG of random black and white dots, with one bit per pixel. As a JPEG, it needs almost a byte per pixel. */
function dots(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const [length, sum, body] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.concat([Buffer.from(type), data])];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const rows = Array.from({ length: height }, () => [Buffer.of(0), randomBytes(width / 8)]);
  const pixels = deflateSync(Buffer.concat(rows.flat()), { level: 0 });
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.of())]);
}
/** A JPEG of exactly this many bytes. Decoders ignore the bytes after its end. */
const jpegOf = async (bytes: number) => {
  const { bytes: image } = await anImage({ width: 1280, height: 720 });
  return Buffer.concat([image, Buffer.alloc(bytes - image.length)]);
};

const kinds = {
  thumbnail: {
    path: '/upload-youtube-thumbnail',
    purpose: 'youtube_thumbnail',
    typeRefused: 'YouTube thumbnails must be JPEG or PNG images',
    tooLarge: 'YouTube thumbnails must be 2 MB or smaller',
    maxBytes: 2 * mb,
    doing: 'upload YouTube thumbnail',
    failed: 'Failed to upload YouTube thumbnail',
  },
  cover: {
    path: '/upload-instagram-cover',
    purpose: 'instagram_cover',
    typeRefused: 'Instagram covers must be JPEG, PNG, or WebP images',
    tooLarge: 'Instagram covers must be 8 MB or smaller',
    maxBytes: 8 * mb,
    doing: 'upload Instagram cover',
    failed: 'Failed to upload Instagram cover',
  },
} as const;
type Field = keyof typeof kinds;
const fields = Object.keys(kinds) as Field[];

describe.each(drivers)('with files on %s', (driver) => {
  beforeAll(async () => {
    service = await mediaService(driver);
    // Files of other programs in the temporary folder do not count.
    vi.stubEnv('TMPDIR', service.folder);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await service.close();
  });
  beforeEach(async () => {
    await startEmpty();
    ada = await service.aUser();
    group = await service.aDraft(ada);
  });

  test('[upload-youtube-thumbnail.response] a thumbnail is stored unchanged and ready, and is not part of the media of the post', async () => {
    const { bytes } = await anImage({ width: 640, height: 360, type: 'png' });
    const answer = await send('/upload-youtube-thumbnail', [
      ['postGroupId', group],
      ['thumbnail', { name: 'my picture.jpeg', bytes }],
    ]);
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, thumbnail: { mediaId: expect.stringMatching(/^[0-9a-f]{24}$/), url: expect.any(String) } },
    ]);
    const { mediaId, url } = answer.body.thumbnail;
    const stored = await fetch(service.reach(url));
    expect(stored.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true);
    expect(await query('select * from media')).toMatchObject([
      {
        id: mediaId,
        post_group_id: group,
        purpose: 'youtube_thumbnail',
        status: 'ready',
        mime_type: 'image/png',
        source_file_name: 'my_picture.png',
        metadata: { width: 640, height: 360, size: bytes.length },
      },
    ]);
    expect(await service.media(ada, group)).toEqual([]);
  });

  test('[upload-youtube-thumbnail.not-attached] update-post accepts the thumbnail', async () => {
    const channel = await ada.aConnection('youtube');
    await ada.call('PUT', `/update-post/${group}`, { platforms: [channel] });
    const { bytes } = await anImage({ width: 1280, height: 720 });
    const { body } = await send('/upload-youtube-thumbnail', [
      ['thumbnail', { bytes }],
      ['postGroupId', group],
    ]);
    const platformSettings = { youtube: { thumbnail: body.thumbnail } };
    expect((await ada.call('PUT', `/update-post/${group}`, { platformSettings })).status).toBe(200);
  });

  test('[upload-instagram-cover.as-jpeg] a cover with transparency is converted to a JPEG on white', async () => {
    const background = { r: 255, g: 0, b: 0, alpha: 0 };
    for (const type of ['png', 'webp'] as const) {
      const bytes = await sharp({ create: { width: 300, height: 500, channels: 4, background } })
        .toFormat(type)
        .toBuffer();
      const answer = await send('/upload-instagram-cover', [
        ['cover', { name: `cover.${type}`, bytes }],
        ['postGroupId', group.toUpperCase()],
      ]);
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          success: true,
          cover: { mediaId: expect.any(String), url: expect.stringMatching(/cover\.jpg$/) },
          message: expect.any(String),
        },
      ]);
      const stored = await fetch(service.reach(answer.body.cover.url));
      expect(stored.headers.get('content-type')).toBe('image/jpeg');
      const image = sharp(Buffer.from(await stored.arrayBuffer()));
      expect(await image.metadata()).toMatchObject({ format: 'jpeg', width: 300, height: 500 });
      const { channels } = await image.stats();
      expect(channels.map(({ min }) => min)).toEqual([255, 255, 255]);
    }
    expect(await query('select mime_type, metadata from media')).toMatchObject(
      Array(2).fill({ mime_type: 'image/jpeg', metadata: { format: 'jpeg', width: 300, height: 500 } }),
    );
  });

  test('[upload-instagram-cover.as-jpeg] a cover that is a JPEG without metadata is stored unchanged', async () => {
    const { bytes } = await anImage();
    const { body } = await send('/upload-instagram-cover', [
      ['cover', { bytes }],
      ['postGroupId', group],
    ]);
    const stored = await fetch(service.reach(body.cover.url));
    expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test.each([
    ['has the pixels of the photo', 1, { width: 300, height: 200 }],
    ['is upright', 6, { width: 200, height: 300 }],
  ])(
    '[upload-instagram-cover.as-jpeg] a cover that is a photo %s, and does not say where it was taken',
    async (_, orientation, size) => {
      const photo = await aTaggedImage({ orientation });
      expect(await tagsOf(photo)).toMatchObject({ exif: expect.anything(), xmp: expect.anything() });
      const { body } = await send('/upload-instagram-cover', [
        ['cover', { bytes: photo }],
        ['postGroupId', group],
      ]);
      const stored = Buffer.from(await (await fetch(service.reach(body.cover.url))).arrayBuffer());
      expect(await tagsOf(stored)).toMatchObject({ exif: undefined, xmp: undefined, orientation: undefined });
      expect(await sharp(stored).metadata()).toMatchObject({ format: 'jpeg', ...size });
      if (orientation === 1) expect((await pixelsOf(stored)).equals(await pixelsOf(photo))).toBe(true);
      expect(await query('select metadata from media')).toMatchObject([{ metadata: { size: stored.length, ...size } }]);
    },
  );

  test('[upload-instagram-cover.errors] a cover that is too large as a JPEG is refused', async () => {
    const bytes = dots(4000, 3000);
    expect(bytes.length).toBeLessThan(2 * mb);
    const answer = await send('/upload-instagram-cover', [
      ['cover', { bytes }],
      ['postGroupId', group],
    ]);
    expect(refusal(answer)).toEqual([400, 'Instagram cover exceeds 8 MB after JPEG conversion; use a smaller image']);
    expect(await leftovers()).toEqual(nothing);
  });

  test('[upload-youtube-thumbnail.response] a scheduled post gets a thumbnail and stays scheduled', async () => {
    const platforms = [await ada.aConnection()];
    const scheduledTime = new Date(service.clock.now().getTime() + 86_400_000).toISOString();
    const { body } = await ada.call('POST', '/create-post', { content: 'Soon', platforms, scheduledTime });
    const { bytes } = await anImage();
    const parts: FormPart[] = [
      ['thumbnail', { bytes }],
      ['postGroupId', body.postGroupId],
    ];
    expect((await send('/upload-youtube-thumbnail', parts)).status).toBe(200);
    expect((await ada.call('GET', `/get-post/${body.postGroupId}`)).body.status).toBe('scheduled');
  });

  describe.each(fields)('[upload-youtube-thumbnail.errors] %s', (field) => {
    const { path, typeRefused, tooLarge, maxBytes, doing, failed } = kinds[field];
    const sendAs = (bytes: Uint8Array, sent: Sent & { id?: string } = {}) =>
      send(
        path,
        [
          [field, { bytes }],
          ['postGroupId', sent.id ?? group],
        ],
        sent,
      );

    test('the fields may be sent in any order, and other fields are ignored', async () => {
      const { bytes } = await anImage();
      const [file, id, more, other] = [
        [field, { bytes }],
        ['postGroupId', group],
        ['more', 'x'],
        ['other', { bytes }],
      ] as const satisfies FormPart[];
      for (const parts of [
        [file, id],
        [id, file],
        [other, more, id, file],
        [file, other, id],
      ]) {
        expect((await send(path, parts)).status).toBe(200);
        expect((await send(path, parts, { chunked: true })).status).toBe(200);
      }
    });

    test.each<[string, (file: FormPart) => FormPart[], string]>([
      ['no postGroupId', (file) => [file], 'postGroupId is required'],
      ['an empty postGroupId', (file) => [file, ['postGroupId', '']], 'postGroupId is required'],
      ['no id', (file) => [file, ['postGroupId', 'nonsense']], 'Invalid postGroupId'],
      ['no file', () => [['postGroupId', group]], `${field} file is required`],
      ['neither', () => [], 'postGroupId is required'],
      [
        'the empty file of a browser',
        () => [
          ['postGroupId', group],
          [field, { name: '', bytes: Buffer.of() }],
        ],
        `${field} file is required`,
      ],
      [
        'text instead of a file',
        () => [
          ['postGroupId', group],
          [field, 'text'],
        ],
        `${field} file is required`,
      ],
      [
        'an empty file',
        () => [
          ['postGroupId', group],
          [field, { name: 'a.png', bytes: Buffer.of() }],
        ],
        typeRefused,
      ],
      ['two files', (file) => [['postGroupId', group], file, file], `Send one file as ${field}`],
    ])('%s is refused', async (_, parts, error) => {
      const { bytes } = await anImage();
      expect(refusal(await send(path, parts([field, { bytes }])))).toEqual([400, error]);
      expect(await leftovers()).toEqual(nothing);
    });

    test.each<[string, () => Promise<Buffer> | Buffer]>([
      ['a GIF', async () => (await anImage({ type: 'gif' })).bytes],
      ['a PDF', () => pdf(1)],
      ['a video', () => aVideo().bytes],
      ['a page', () => Buffer.from('<!doctype html><html>')],
      ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
      ['a truncated image', async () => (await anImage({ type: 'png' })).bytes.subarray(0, 500)],
    ])('%s is refused, whatever its name', async (_, make) => {
      const file = { name: 'a.jpg', type: 'image/jpeg', bytes: await make() };
      expect(
        refusal(
          await send(path, [
            [field, file],
            ['postGroupId', group],
          ]),
        ),
      ).toEqual([400, typeRefused]);
      expect(await leftovers()).toEqual(nothing);
    });

    test('a file of the maximum size is accepted, one byte more is refused', async () => {
      expect((await sendAs(await jpegOf(maxBytes))).status).toBe(200);
      await startEmpty();
      for (const chunked of [false, true]) {
        expect(refusal(await sendAs(await jpegOf(maxBytes + 1), { chunked }))).toEqual([400, tooLarge]);
      }
      expect(await leftovers()).toEqual(nothing);
    });

    test.each([false, true])('far too large is noticed before the end, chunked: %s', async (chunked) => {
      const megabyte = Buffer.alloc(mb);
      const bytes = [await jpegOf(mb), ...Array(60).fill(megabyte)];
      expect(
        refusal(
          await send(
            path,
            [
              [field, { bytes }],
              ['postGroupId', group],
            ],
            { chunked },
          ),
        ),
      ).toEqual([400, tooLarge]);
      expect(await leftovers()).toEqual(nothing);
    });

    test('errors are reported in this order: post id, type, size, post', async () => {
      const large = await jpegOf(maxBytes + 1);
      const text = Buffer.alloc(maxBytes + 1, 'x');
      const unknown = 'f'.repeat(24);
      expect(refusal(await sendAs(text, { id: 'nonsense' }))).toEqual([400, 'Invalid postGroupId']);
      expect(refusal(await sendAs(text, { id: unknown }))).toEqual([400, typeRefused]);
      expect(refusal(await sendAs(large, { id: unknown }))).toEqual([400, tooLarge]);
    });

    test('an unknown post and a post of another user are not found', async () => {
      const { bytes } = await anImage();
      const eve = await service.aUser();
      for (const id of ['f'.repeat(24), await service.aDraft(eve)]) {
        expect(refusal(await sendAs(bytes, { id }))).toEqual([404, 'Post group not found']);
      }
      expect(await leftovers()).toEqual(nothing);
    });

    test.each(['published', 'failed', 'partially_published'])('a %s post is not editable', async (status) => {
      await query('update post_groups set status = $2 where id = $1', [group, status]);
      const error = `Cannot ${doing} for a non-editable post`;
      expect(refusal(await sendAs((await anImage()).bytes))).toEqual([400, error]);
      expect(await leftovers()).toEqual(nothing);
    });

    test('a post that is being published is refused with 409', async () => {
      await query(`update post_groups set processing_status = 'processing' where id = $1`, [group]);
      const error = `Post group is currently being published; cannot ${doing}. Retry once publishing completes.`;
      expect(refusal(await sendAs((await anImage()).bytes))).toEqual([409, error]);
      expect(await leftovers()).toEqual(nothing);
    });

    test('a body that is not a form is refused', async () => {
      const url = `${service.reach(service.app.publicUrl)}/api/v1${path}`;
      const post = async (type: string | null, body: string | null) => {
        const headers = { 'x-service-key': ada.apiKey, ...(type && { 'content-type': type }) };
        const answer = await fetch(url, { method: 'POST', headers, body: body && Buffer.from(body) });
        return [answer.status, ((await answer.json()) as { error: string }).error];
      };
      const form = 'multipart/form-data; boundary=b';
      const begun = `--b\r\nContent-Disposition: form-data; name="${field}"; filename="a.png"\r\n\r\nabc`;
      expect(await post(null, null)).toEqual([400, 'postGroupId is required']);
      expect(await post('application/json', '{}')).toEqual([415, 'Send the body as multipart/form-data']);
      expect(await post('text/plain', 'x')).toEqual([415, 'Send the body as multipart/form-data']);
      const invalid = [400, 'The body is not valid multipart/form-data'];
      expect(await post(form, 'x')).toEqual(invalid);
      expect(await post(form, begun)).toEqual(invalid);
      expect(await post('multipart/form-data', begun)).toEqual(invalid);
      expect(await post(form, '--b--\r\n')).toEqual([400, 'postGroupId is required']);
      expect(await leftovers()).toEqual(nothing);
    });

    test('two forms of an owner are received at a time, and those of others meanwhile', async () => {
      const eve = await service.aUser();
      const url = `${service.reach(service.app.publicUrl)}/api/v1${path}`;
      const headers = { 'x-service-key': eve.apiKey };
      const parts: FormPart[] = [
        [field, { bytes: await jpegOf(mb) }],
        ['postGroupId', await service.aDraft(eve)],
      ];
      const held = await Promise.all([1, 2].map(() => beginForm({ url, headers, parts }, mb / 2)));
      await expect.poll(async () => (await leftovers())[3]).toHaveLength(2);
      const third = send(path, parts, { headers });
      expect((await sendAs((await anImage()).bytes)).status).toBe(200);
      const { status, body } = await third;
      expect([status, body.code]).toEqual([503, 'PROBE_BUSY']);
      expect((await leftovers())[3]).toHaveLength(2);
      for (const request of held) request.destroy();
      await expect.poll(async () => (await send(path, parts, { headers })).status).toBe(200);
    });

    test.each<[string, FormPart]>([
      ['another file', ['other', { bytes: Array(20).fill(Buffer.alloc(mb)) }]],
      ['a long field', ['other', 'x'.repeat(20 * mb)]],
    ])('a form that goes on after its image with %s is disconnected, and leaves nothing behind', async (_, other) => {
      const parts: FormPart[] = [['postGroupId', group], [field, { bytes: await jpegOf(mb) }], other];
      const form = { url: `${service.reach(service.app.publicUrl)}/api/v1${path}`, parts };
      const sending = beginForm({ ...form, headers: { 'x-service-key': ada.apiKey } }, 21 * mb);
      await expect(sending).rejects.toThrow();
      await expect.poll(leftovers).toEqual(nothing);
    });

    test('an interrupted upload leaves nothing behind', async () => {
      const parts: FormPart[] = [
        ['postGroupId', group],
        [field, { bytes: await jpegOf(mb) }],
      ];
      const url = `${service.reach(service.app.publicUrl)}/api/v1${path}`;
      const request = await beginForm({ url, headers: { 'x-service-key': ada.apiKey }, parts }, mb / 2);
      await expect.poll(async () => (await leftovers())[3]).toHaveLength(1);
      request.destroy();
      await expect.poll(leftovers).toEqual(nothing);
    });

    test.each<[string, Partial<Storage>, number, string]>([
      [
        'has no room',
        { write: () => Promise.reject(new StorageError('full', 'Full.')) },
        507,
        'The service has no storage space left for this file. Contact its operator.',
      ],
      [
        'does not answer',
        { write: () => Promise.reject(new StorageError('unavailable', 'Down.')) },
        503,
        'The service cannot reach its file storage. Try again in a few seconds.',
      ],
      ['does the unforeseen', { write: () => Promise.reject(new Error('A bug.')) }, 500, failed],
      [
        'loses the file immediately',
        { stat: async () => null },
        503,
        'The service cannot reach its file storage. Try again in a few seconds.',
      ],
    ])('a storage that %s is reported, and nothing is left behind', async (_, faults, status, error) => {
      const server = await buildServer({ ...service.app, storage: { ...service.app.storage, ...faults } });
      const base = await server.listen({ port: 0, host: '127.0.0.1' });
      expect(refusal(await sendAs((await anImage()).bytes, { base }))).toEqual([status, error]);
      expect(await leftovers()).toEqual(nothing);
      await server.close();
    });
  });

  test('[upload-youtube-thumbnail.errors] a thumbnail needs at least 640x360 pixels; a cover may be smaller', async () => {
    const tooSmall = 'YouTube thumbnails must be at least 640x360 pixels';
    for (const [width, height] of [
      [639, 360],
      [640, 359],
      [360, 640],
    ] as const) {
      const { bytes } = await anImage({ width, height });
      const parts = (field: string): FormPart[] => [
        [field, { bytes }],
        ['postGroupId', group],
      ];
      expect(refusal(await send('/upload-youtube-thumbnail', parts('thumbnail')))).toEqual([400, tooSmall]);
      expect((await send('/upload-instagram-cover', parts('cover'))).status).toBe(200);
    }
  });

  test('[auth.key-header-only] an API key is required', async () => {
    const parts: FormPart[] = [['thumbnail', { bytes: await jpegOf(mb) }]];
    const answer = await send('/upload-youtube-thumbnail', parts, { headers: { 'x-service-key': '' } });
    expect(refusal(answer)).toEqual([401, 'API key is required']);
  });
});
