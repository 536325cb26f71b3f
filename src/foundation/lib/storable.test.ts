import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyString } from '../../../test/support/any-string.ts';
import { type TestService, testService } from '../../../test/support/service/service.ts';
import { storable, storableJson } from './storable.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const anyText = anyString({ maxLength: 20 }).map((text) => text.replaceAll('\u{1F600}', '\ud83d'));

test('PostgreSQL stores every text that was made storable', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(anyText, fc.constantFrom('a\0b', '\ud800', '\udc00x', '\\u0000')), async (text) => {
      const [given, json] = [storable(text), storableJson({ text: [text] })];
      const { rows } = await service.database.pool.query('select $1::text as plain, $2::jsonb as json', [given, json]);
      expect(rows[0]).toEqual({ plain: given, json: { text: [given] } });
    }),
    { numRuns: 50 },
  );
});

test('a text that PostgreSQL can store does not change', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!text.includes('\0'));
      expect([storable(text), storableJson(text)]).toEqual([text, JSON.stringify(text)]);
    }),
  );
});
