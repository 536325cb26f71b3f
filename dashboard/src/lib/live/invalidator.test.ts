import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { createInvalidator } from './invalidator.ts';

test('a burst of events refetches a list only a few times, and the last response is newer than the last event', async () => {
  const client = new QueryClient();
  let reads = 0;
  let events = 0;
  const observer = new QueryObserver(client, {
    queryKey: ['posts'],
    queryFn: async () => {
      reads += 1;
      const seen = events;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return seen;
    },
  });
  const stop = observer.subscribe(() => {});
  await expect.poll(() => observer.getCurrentResult().data).toBe(0);
  const invalidate = createInvalidator(client, 10);
  for (; events < 1000; events += 1) {
    invalidate([['posts'], ['post', String(events % 10)]]);
    if (events % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  }
  invalidate([['posts']]);
  await expect.poll(() => observer.getCurrentResult().data).toBe(1000);
  expect(reads).toBeLessThan(20);
  stop();
  client.clear();
});
