import { describe, expect, test } from 'vitest';
import type { Inspection } from './inspection/inspection.ts';
import { shownMetadata, storedMetadata } from './metadata.ts';

const image: Inspection = {
  kind: 'image',
  mimeType: 'image/gif',
  format: 'gif',
  size: 10,
  width: 4,
  height: 2,
  frames: 3,
};
const video: Inspection = {
  kind: 'video',
  mimeType: 'video/mp4',
  format: 'mp4',
  size: 20,
  width: 1920,
  height: 1080,
  durationSeconds: 1.5,
  frameRate: 30,
  codecName: 'h264',
  bitRate: 1000,
};
const document: Inspection = {
  kind: 'document',
  mimeType: 'application/pdf',
  format: 'pdf',
  size: 30,
  pageCount: 7,
  encrypted: false,
};
const none = { width: null, height: null, aspectRatio: null };
const still = { frameRate: null, codecName: null, bitRate: null, duration: null };

describe('what is stored about a file', () => {
  test.each([
    [
      'an image: frames, and no pages',
      image,
      { width: 4, height: 2, aspectRatio: 2, ...still, frames: 3, pages: null },
    ],
    [
      'a video: how it moves, and neither frames nor pages',
      video,
      { frameRate: 30, codecName: 'h264', bitRate: 1000, duration: 1.5, frames: null, pages: null },
    ],
    ['a document: pages, and no frames', document, { ...none, ...still, frames: null, pages: 7 }],
  ])('is, for %s', (_, inspection, expected) => {
    expect(storedMetadata(inspection)).toMatchObject({ size: inspection.size, format: inspection.format, ...expected });
  });

  test('is shown without frames, pages and whether it was found clean', () => {
    const shown = shownMetadata({ ...storedMetadata(document), isClean: true });
    expect(Object.keys(shown)).toEqual(
      Object.keys(storedMetadata(document)).filter((key) => !/frames|pages/.test(key)),
    );
  });
});
