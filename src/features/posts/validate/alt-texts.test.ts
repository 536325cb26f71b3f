import { expect, test } from 'vitest';
import { descriptionOf } from '../../../platforms/descriptions.ts';
import { requireAltTexts } from './validation.ts';

const description = descriptionOf('mastodon')!;
const connection = { id: null, platform: description.id, accountId: '1', handle: '', scopes: [], traits: {} };
const target = { connection, platformId: 'mastodon-1', description, limits: description.limits, mediaIds: null };
const filesWith = (altText: string) =>
  Array.from({ length: 100 }, (_, index) => ({
    id: String(index),
    shared: true,
    type: 'image' as const,
    mimeType: 'image/png',
    metadata: null,
    altText,
  }));

test('the alt texts of many files on many accounts are checked in turns with other work', async () => {
  const altText = 'é'.repeat(1_500);
  const media = filesWith(altText);
  let rounds = 0;
  const count = () => {
    rounds += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await requireAltTexts(Array(100).fill(target), { media, client: 'api' });
  clearImmediate(next);
  expect(rounds).toBeGreaterThan(3);
  const tooLong = [{ ...media[0]!, altText: `${altText}é` }];
  await expect(requireAltTexts([target], { media: tooLong, client: 'api' })).rejects.toMatchObject({
    key: 'validation_failed',
  });
});

test('of the issues of many files on many accounts, only the first are listed', async () => {
  const media = filesWith('é'.repeat(1_501));
  await expect(requireAltTexts(Array(100).fill(target), { media, client: 'api' })).rejects.toMatchObject({
    body: { validation: { valid: false, errors: { length: 1000 }, summary: { errorCount: 1000 } } },
  });
});
