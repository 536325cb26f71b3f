import { describe, expect, test } from 'vitest';
import type { Json } from '../../../foundation/lib/json.ts';
import { differences, kindOf } from './compare.ts';
import type { Transcript } from './transcript.ts';

/** A proof of one check with one call, to which the network responded with this. */
const proofWith = (mode: Transcript['mode'], body: Json): Transcript => ({
  network: 'mastodon',
  mode,
  version: '0.1.0',
  at: '2026-11-16T14:00:00.000Z',
  verdicts: [{ check: 'text', outcome: 'proven', detail: '' }],
  exchanges: [
    {
      check: 'text',
      method: 'GET',
      url: 'https://network.example/posts/1',
      request: { headers: {}, body: null },
      response: { status: 200, headers: {}, body },
      isLost: false,
    },
  ],
});

const between = (network: Json, sandbox: Json) =>
  differences(proofWith('live', network), proofWith('sandbox', sandbox));

describe('answers', () => {
  test.for<[title: string, network: Json, sandbox: Json]>([
    ['with other values', { id: '1', counts: [1, 2] }, { id: '2', counts: [3] }],
    ['with an empty list', { data: [{ id: '1', by: { name: 'Ann' } }] }, { data: [] }],
    ['with null in place of a text', { url: 'https://a.example' }, { url: null }],
    ['with null in place of an object', { card: null }, { card: { title: 'A' } }],
  ])('%s do not differ', ([, network, sandbox]) => {
    expect(between(network, sandbox)).toEqual([]);
    expect(between(sandbox, network)).toEqual([]);
  });

  test('differ by a field, also one in a list', () => {
    expect(between({ data: [{ id: '1', isNew: true }] }, { data: [{ id: '1' }], total: 1 })).toEqual([
      'text: GET /posts/…: "data[].isNew" is only in the response of the network',
      'text: GET /posts/…: "total" is only in the response of the sandbox',
    ]);
  });

  test.for<Json>([null, []])('differ by a field that only one of them has, also if it is %j', (value) => {
    expect(between({ id: '1', more: value }, { id: '1' })).toEqual([
      'text: GET /posts/…: "more" is only in the response of the network',
    ]);
  });

  test('differ by the type of a field', () => {
    expect(between({ id: 1 }, { id: '1' })).toEqual([
      'text: GET /posts/…: "id" is number on the network, string on the sandbox',
    ]);
  });

  test('of two runs of the same kind are distinguished', () => {
    const [first, second] = [proofWith('sandbox', { id: 1 }), proofWith('sandbox', { id: '1' })];
    expect(differences(first, second)).toEqual([
      'text: GET /posts/…: "id" is number on the first run, string on the second',
    ]);
  });
});

test.for([
  ['https://a.example/api/v1/statuses/117626528859815936', 'GET /api/v1/statuses/…'],
  ['https://other.example/api/v1/statuses/117626528859815936', 'GET /api/v1/statuses/…'],
  ['https://a.example/rest/posts/urn%3Ali%3Ashare%3A7', 'GET /rest/posts/…'],
  ['https://a.example/100%/posts', 'GET /…/posts'],
] as const)('%s is the call %s', ([url, kind]) => {
  expect(kindOf({ method: 'GET', url })).toBe(kind);
});
