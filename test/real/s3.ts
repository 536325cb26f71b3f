import { readdir } from 'node:fs/promises';
import { CreateBucketCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bucket, s3Storage } from '../../src/foundation/storage/s3.ts';
import { systemClock } from '../../src/foundation/time/clock.ts';
import { testStorage } from '../storage-contract.ts';
import { temporaryFolder } from '../support/database/temporary-server.ts';
import { serveMedia } from '../support/servers/media.ts';
import { testService } from '../support/service/service.ts';
import type { RealS3 } from './servers/s3.ts';
import { describeServer } from './servers/server.ts';

/** Tests the storage contract on a server that checks signatures, and its state in `/readyz`. */
export async function testS3(name: string, start: () => Promise<RealS3>) {
  await describeServer(name, start, (server) => {
    beforeAll(() => clientOf(server.bucket).send(new CreateBucketCommand({ Bucket: server.bucket.bucket })));
    afterAll(() => server[Symbol.asyncDispose]());

    testStorage('the storage', async () => {
      const folder = await temporaryFolder();
      const open = (bucket: Bucket, publicUrl = 'http://crier.test') =>
        s3Storage({ bucket, publicUrl, copiesFolder: folder.path, clock: systemClock });
      const media = await serveMedia((publicUrl) => open(server.bucket, publicUrl));
      return {
        storage: media.storage,
        elsewhere: () => open({ ...server.bucket, endpoint: 'http://elsewhere.example' }),
        again: () => open(server.bucket),
        advance: server.advance,
        leftovers: async () => [...(await readdir(folder.path)), ...(await openUploads(server.bucket))],
        refusals: [400, 403],
        request: fetch,
        async [Symbol.asyncDispose]() {
          await media[Symbol.asyncDispose]();
          await folder.remove();
        },
      };
    });

    test.each<[string, Partial<Bucket>, string]>([
      [
        'a wrong secret',
        { credentials: { accessKeyId: server.bucket.credentials?.accessKeyId ?? '', secretAccessKey: 'guessed' } },
        'rejects the credentials',
      ],
      ['a bucket that does not exist', { bucket: 'nowhere' }, 'has no bucket nowhere'],
    ])('/readyz tells %s', async (_what, wrong, words) => {
      const { readiness, close } = await readinessWith({ ...server.bucket, ...wrong });
      expect(readiness.checks.storage).toEqual({ ok: false, detail: expect.stringContaining(words) });
      await close();
    });

    test('/readyz tells that all is well', async () => {
      const { readiness, close } = await readinessWith(server.bucket);
      expect(readiness.checks.storage).toMatchObject({ ok: true });
      await close();
    });
  });
}

/** The readiness of a service with this bucket, as an operator configures it. */
async function readinessWith({ bucket, region, endpoint, credentials }: Bucket) {
  const { accessKeyId = '', secretAccessKey = '' } = credentials ?? {};
  const parameters = new URLSearchParams({ region, endpoint: endpoint ?? '', accessKeyId, secretAccessKey });
  const service = await testService({ environment: { STORAGE_URL: `s3://${bucket}?${parameters}` } });
  const answer = await service.server.inject({ url: '/readyz' });
  return { readiness: answer.json(), close: service.close };
}

const clientOf = ({ endpoint, region, credentials }: Bucket) =>
  new S3Client({
    region,
    forcePathStyle: true,
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });

async function openUploads(bucket: Bucket): Promise<string[]> {
  const { Uploads = [] } = await clientOf(bucket).send(new ListMultipartUploadsCommand({ Bucket: bucket.bucket }));
  return Uploads.map(({ Key = '' }) => Key);
}
