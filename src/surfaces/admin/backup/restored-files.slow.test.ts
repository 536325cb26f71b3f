import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../../test/support/database/temporary-server.ts';
import { anImage } from '../../../../test/support/files/media.ts';
import { publishDue } from '../../../../test/support/publishing/publish-due.ts';
import { drivers, mediaService } from '../../../../test/support/service/media-service.ts';
import { readBackup } from './read-backup.ts';
import { writeBackup } from './write-backup.ts';

const environment = { SECRET_KEY: '5e'.repeat(32) };

describe.each(drivers)('on %s', (driver) => {
  async function aService() {
    const service = await mediaService(driver, { environment });
    onTestFinished(() => service.close());
    return service;
  }

  test('files come back to an empty storage, with the rows that name them, and can be published', async () => {
    const lost = await aService();
    const ada = await lost.aUser();
    const { bytes } = await anImage({ type: 'png' });
    const { postGroupId, key } = await lost.aReadyFile(ada, bytes);
    const scheduledTime = new Date(lost.clock.now().getTime() + 3_600_000).toISOString();
    await ada.call('PUT', `/update-post/${postGroupId}`, { status: 'scheduled', scheduledTime });
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const path = join(folder.path, 'backup');
    const manifest = await writeBackup(lost.app, path, { withMedia: true, keyFile: null });
    expect(manifest.media).toMatchObject({ files: 1, bytes: bytes.length, missing: 0 });

    const other = await aService();
    const app = { ...other.app, platformAccess: lost.app.platformAccess };
    expect(await other.storedKeys()).toEqual([]);
    await readBackup(app, other.database.url, path, manifest, 'overdue');
    expect(await other.storedKeys()).toEqual([key]);
    const stored = await app.storage.read(key);
    expect(Buffer.concat(await stored.toArray())).toEqual(bytes);
    other.advance(7_200);
    await publishDue(app);
    expect((await lost.sandbox.posts()).map(({ text }: { text: string }) => text)).toEqual(['With media']);
  });
});
