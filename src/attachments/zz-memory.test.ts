import { expect, test } from 'vitest';
import { aVideo } from '../../test/support/media-files.ts';
import { mediaService } from '../../test/support/media-service.ts';
import { sendForm } from '../../test/support/send-form.ts';
test('memory', { timeout: 200_000 }, async () => {
  const service = await mediaService('disk');
  const ada = await service.aUser();
  const group = await service.aDraft(ada);
  const mbuf = Buffer.alloc(1_048_576);
  const before = process.memoryUsage.rss(); let peak = 0;
  const timer = setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()); }, 50);
  for (const n of [510, 513]) {
    const t = performance.now();
    const a = await sendForm({ url: `${service.reach(service.app.publicUrl)}/api/v1/process-video`, headers: { 'x-service-key': ada.apiKey }, chunked: true, parts: [['postGroupId', group], ['video', { bytes: [aVideo().bytes, ...Array(n).fill(mbuf)] }]] });
    console.log(n, a.status, JSON.stringify(a.body), Math.round(performance.now() - t), 'ms rss before', before >> 20, 'peak', peak >> 20);
  }
  clearInterval(timer);
  console.log((await service.keptKeys()).length);
  await service.close();
  expect(1).toBe(1);
});
