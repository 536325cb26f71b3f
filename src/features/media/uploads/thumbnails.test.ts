import { expect, test } from 'vitest';
import { problems } from '../../../foundation/errors/index.ts';
import { coverKind, thumbnailKind } from './thumbnails.ts';

test('the errors name the limits of the platforms', () => {
  const megabytes = (bytes: number) => `${bytes / 1_048_576} MB`;
  const { maxBytes, minWidth, minHeight } = thumbnailKind.limit;
  expect(problems.thumbnail_too_large.error).toContain(megabytes(maxBytes));
  expect(problems.thumbnail_too_small.error).toContain(`${minWidth}x${minHeight} pixels`);
  expect(problems.cover_too_large.error).toContain(megabytes(coverKind.limit.maxBytes));
  expect(problems.cover_too_large_as_jpeg.error).toContain(megabytes(coverKind.limit.maxBytes));
});
