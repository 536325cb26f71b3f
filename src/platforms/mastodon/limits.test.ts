import { expect, test } from 'vitest';
import type { Json } from '../../foundation/lib/json.ts';
import { Instance } from './api.ts';
import { limits, limitsFor, traitsOf } from './limits.ts';

const names = ['max_characters', 'characters_reserved_per_url', 'max_media_attachments'];
const mediaNames = ['image_size_limit', 'video_size_limit', 'description_limit'];
const all = (named: readonly string[], value: unknown) => Object.fromEntries(named.map((name) => [name, value]));
const described = (value: unknown) =>
  Instance.parse({ configuration: { statuses: all(names, value), media_attachments: all(mediaNames, value) } });

const bounded = {
  text: { max: 1_000_000, urlLength: 10_000 },
  images: { max: 100, maxBytes: 10_000_000_000 },
  video: { maxBytes: 10_000_000_000 },
  altText: { max: 1500 },
};

test('a server cannot describe limits beyond all reason', () => {
  expect(limitsFor(traitsOf(described(Number.MAX_SAFE_INTEGER)))).toMatchObject(bounded);
});

test.each([1e300, -1, 0.5, '500', null, [], {}])(
  'a limit of %j is read as the one of an unmodified server',
  (value) => {
    expect(limitsFor(traitsOf(described(value)))).toEqual(limits);
  },
);

const traitNames = Object.keys(traitsOf(described(1)));

test('limits that an older version stored are bounded when they are used', () => {
  expect(limitsFor(all(traitNames, 1e300) as Record<string, Json>)).toMatchObject(bounded);
  expect(limitsFor(all(traitNames, 'many') as Record<string, Json>)).toEqual(limits);
  expect(limitsFor(all(traitNames, -1e300) as Record<string, Json>)).toMatchObject({ text: { max: 0, urlLength: 0 } });
});
