import { expect, test } from 'vitest';
import { lazyEgress } from './lazy-egress.ts';

test('guards from the first request on, and closes whether or not it was used', async () => {
  const egress = lazyEgress({ allow: [] });
  await expect(egress.fetch('https://127.0.0.1/')).rejects.toMatchObject({ code: 'blocked_host', sent: false });
  await expect(egress.request('http://example.com/')).rejects.toMatchObject({ code: 'protocol' });
  await egress.close();
  await lazyEgress({ allow: [] }).close();
});
