import { expect, test } from 'vitest';
import { RecordRef } from './api.ts';

test.for([
  ['of a thousand Chinese characters, which would not fit into an index', `at://${'\u4e2d'.repeat(990)}`],
  ['with a NUL, which cannot be stored', 'at://did:plc:ann/app.bsky.feed.post/\0'],
  ['of another kind', 'https://example.com/post'],
])('an address of a record %s is refused', ([, uri]) => {
  expect(RecordRef.safeParse({ uri, cid: 'cid' }).success).toBe(false);
});

test('an address of a record is accepted', () => {
  expect(RecordRef.safeParse({ uri: 'at://did:plc:ann/app.bsky.feed.post/3k', cid: 'cid' }).success).toBe(true);
});
