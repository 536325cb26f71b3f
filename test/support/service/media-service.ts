import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { inject } from 'vitest';
import type { App } from '../../../src/app.ts';
import { deleteOrphanedFiles } from '../../../src/features/files/storing/orphaned-files.ts';
import type { ConnectOptions } from '../../../src/foundation/egress/connect.ts';
import type { Storage } from '../../../src/foundation/storage/storage.ts';
import type { PlatformName } from '../../../src/platforms/index.ts';
import { buildServer } from '../../../src/surfaces/server.ts';
import { temporaryFolder } from '../database/temporary-server.ts';
import { contractBody } from '../documents/contract-body.ts';
import { type S3TestServer, startS3 } from '../servers/s3.ts';
import { type TestClock, testApp, testClock } from './app.ts';
import { type Answer, type TestService, type TestUser, testService } from './service.ts';
import { testPassword } from './user.ts';

export type Driver = 'disk' | 's3';

declare module 'vitest' {
  interface ProvidedContext {
    /** The storage driver of the tests. */
    storageDriver: Driver;
  }
}

/** `npm test` stores files on disk; `npm run test:slow` runs the same tests with files on S3. */
export const drivers: readonly Driver[] = [inject('storageDriver')];

/** The service with its own storage, listening on a port of this machine. */
export interface MediaService extends TestService {
  readonly clock: TestClock;
  /** Null if files are on disk. */
  readonly s3: S3TestServer | null;
  /** The folder of the files, or of their copies on the way out. */
  readonly folder: string;
  readonly environment: Record<string, string>;
  /** Advances the clocks of the service and of the S3 server. */
  advance(seconds: number): void;
  /** A URL of the service, in a reachable form. */
  reach(url: string): string;
  aDraft(user: TestUser, platforms?: readonly PlatformName[]): Promise<string>;
  /** The response of get-upload-url. */
  anAddress(user: TestUser, postGroupId: string, file?: Partial<NewFile>): Promise<Answer['body']>;
  put(url: string, bytes: Uint8Array, type?: string): Promise<Response>;
  /** Replaces a stored file, as anyone with write access to the storage could. */
  replace(key: string, bytes: Uint8Array): Promise<unknown>;
  /** A file that was only uploaded. */
  anUpload(user: TestUser, bytes: Uint8Array, file?: Partial<NewFile> & { postGroupId?: string }): Promise<Upload>;
  /** A file that was also inspected. */
  aReadyFile(user: TestUser, bytes: Uint8Array, file?: Partial<NewFile> & { postGroupId?: string }): Promise<Upload>;
  complete(user: TestUser, mediaId: string): Promise<Answer>;
  media(user: TestUser, postGroupId: string): Promise<Answer['body'][]>;
  /** The keys of everything in storage. */
  storedKeys(): Promise<string[]>;
  /** The same after the cleaner has run. */
  keptKeys(): Promise<string[]>;
  demotions(postGroupId: string): Promise<Record<string, unknown>[]>;
}

export interface NewFile {
  fileName: string;
  contentType: string;
}
export interface Upload {
  postGroupId: string;
  mediaId: string;
  uploadUrl: string;
  fileUrl: string;
  key: string;
}

export async function mediaService(
  driver: Driver = 'disk',
  { environment = {}, egress }: { environment?: Record<string, string>; egress?: ConnectOptions } = {},
): Promise<MediaService> {
  const folder = await temporaryFolder();
  const s3 = driver === 's3' ? await startS3() : null;
  // Close to the real time, which the database and S3 use, and a little ahead: what is done for them is past for us.
  const clock = testClock(new Date(Date.now() + 600_000).toISOString());
  const variables = { DATA_DIR: folder.path, ...(s3 && { STORAGE_URL: addressOf(s3) }), ...environment };
  const service = await testService({ clock, environment: variables, ...(egress && { egress }) });
  const { app } = service;
  const base = await service.server.listen({ port: 0, host: '127.0.0.1' });
  const reach = (url: string) => url.replace(app.publicUrl, base);

  const ours: MediaService = {
    ...service,
    clock,
    s3,
    folder: folder.path,
    environment: variables,
    advance(seconds) {
      clock.advance({ seconds });
      s3?.advance(seconds);
    },
    reach,
    async aDraft(user, platforms = ['mastodon']) {
      const ids = await Promise.all(platforms.map((platform) => user.aConnection(platform)));
      const { body } = await user.call('POST', '/create-post', { content: 'With media', platforms: ids });
      return body.postGroupId;
    },
    async anAddress(user, postGroupId, { fileName = 'a photo.png', contentType = 'image/png' } = {}) {
      const answer = await user.call('POST', '/get-upload-url', { postGroupId, fileName, contentType });
      if (answer.status !== 200) throw new Error(`get-upload-url: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    put: (url, bytes, type = 'image/png') =>
      fetch(reach(url), { method: 'PUT', body: new Blob([new Uint8Array(bytes)]), headers: { 'content-type': type } }),
    replace: (key, bytes) => app.storage.write(key, Readable.from([bytes]), { contentType: 'image/png' }),
    async anUpload(user, bytes, { postGroupId, ...file } = {}) {
      const group = postGroupId ?? (await ours.aDraft(user));
      const { mediaId, uploadUrl, fileUrl } = await ours.anAddress(user, group, file);
      const { status } = await ours.put(uploadUrl, bytes, file.contentType);
      if (status !== 200) throw new Error(`PUT: ${status}`);
      return { postGroupId: group, mediaId, uploadUrl, fileUrl, key: fileUrl.split('/media/')[1] };
    },
    async aReadyFile(user, bytes, file) {
      const upload = await ours.anUpload(user, bytes, file);
      const { status, body } = await ours.complete(user, upload.mediaId);
      if (status !== 200) throw new Error(`complete-media: ${status} ${JSON.stringify(body)}`);
      return upload;
    },
    complete: (user, mediaId) => user.call('POST', `/complete-media/${mediaId}`),
    media: async (user, postGroupId) => (await user.call('GET', `/get-post/${postGroupId}`)).body.media,
    storedKeys: () => (s3 ? s3.keys() : keysInFolder(join(folder.path, 'media'))),
    async keptKeys() {
      await deleteOrphanedFiles(app);
      return ours.storedKeys();
    },
    async demotions(postGroupId) {
      const found = await service.database.pool.query(
        `select body from events where type = 'post.demoted' and post_group_id = $1 order by id`,
        [postGroupId],
      );
      return found.rows.map(({ body }) => JSON.parse(body).data);
    },
    async close() {
      await service.close();
      await s3?.[Symbol.asyncDispose]();
      await folder.remove();
    },
  };
  return ours;
}

function addressOf({ bucket }: S3TestServer): string {
  const { endpoint, region, credentials } = bucket;
  const { accessKeyId, secretAccessKey } = credentials!;
  const given = { region, endpoint: endpoint!, accessKeyId, secretAccessKey };
  const query = Object.entries(given).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `s3://${bucket.bucket}?${query.join('&')}`;
}

async function keysInFolder(root: string): Promise<string[]> {
  const names = await readdir(root, { recursive: true }).catch(() => []);
  return names.filter((name) => /^(images|videos|documents|incoming)\/[^.]/.test(name)).sort();
}

/** Another process of the service, whose storage fails as `faults` specifies. `await using` closes it. */
export async function anotherProcess(ours: MediaService, faults: Partial<Storage> = {}) {
  const { clock, database, environment } = ours;
  const { app, close } = await testApp({ clock, database, environment });
  const faulty: App = { ...app, storage: { ...app.storage, ...faults } };
  const server = await buildServer(faulty);
  return {
    app: faulty,
    async call({ apiKey }: TestUser, method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Answer> {
      const headers = { 'x-service-key': apiKey };
      const request = { method, url: `/api/v1${path}`, headers, ...(body && { payload: body }) };
      const answer = await server.inject(request);
      return { status: answer.statusCode, body: contractBody(answer.json()), headers: answer.headers };
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await close();
    },
  };
}

/** The headers of a signed-in user. */
export async function signedIn({ server, app }: TestService, { id }: TestUser): Promise<Record<string, string>> {
  const { email } = await app.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow();
  const payload = { email, password: testPassword };
  const answer = await server.inject({ method: 'POST', url: '/api/v1/auth/signin', payload });
  return { authorization: `Bearer ${answer.json().accessToken}` };
}
