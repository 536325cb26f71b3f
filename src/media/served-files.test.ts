import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anImage } from '../../test/support/media-files.ts';
import { drivers, type MediaService, mediaService, type Upload } from '../../test/support/media-service.ts';
import type { TestUser } from '../../test/support/service.ts';

describe.each(drivers)('4.6 on %s', (driver) => {
  let ours: MediaService;
  let ada: TestUser;
  beforeAll(async () => {
    ours = await mediaService(driver);
    ada = await ours.aUser();
  });
  afterAll(() => ours.close());

  async function served({ fileUrl }: Upload) {
    const { headers } = await fetch(ours.reach(fileUrl));
    return [headers.get('content-type'), headers.get('content-disposition')];
  }
  const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

  test('an image is served with the type of its bytes and a name with its extension', async () => {
    const { bytes } = await anImage({ type: 'jpeg' });
    const upload = await ours.aReadyFile(ada, bytes, { fileName: 'page.html', contentType: 'image/png' });
    expect(await served(upload)).toEqual(['image/jpeg', 'inline; filename="page.jpg"']);
  });

  test.each(['image/svg+xml', 'image/x+xml', 'image/unheard-of'])('%s is accepted and is a download', async (type) => {
    const upload = await ours.anUpload(ada, script, { fileName: 'logo.svg', contentType: type });
    const download = ['application/octet-stream', 'attachment; filename="logo.bin"'];
    expect(await served(upload)).toEqual(download);
    expect((await ours.complete(ada, upload.mediaId)).status).toBe(400);
    expect(await served(upload)).toEqual(download);
  });

  test('a page that was uploaded as an image is served as an image, which runs nothing', async () => {
    const upload = await ours.anUpload(ada, script, { fileName: 'page.html', contentType: 'image/png' });
    expect(await served(upload)).toEqual(['image/png', 'inline; filename="page.png"']);
  });
});
