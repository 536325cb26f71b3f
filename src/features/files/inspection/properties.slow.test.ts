import fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { bitmap, fixture, packedPdf, pdf, stored, videoNames } from '../../../../test/support/files/inspection.ts';
import { inspect } from './inspect.ts';
import { InspectionError } from './inspection.ts';

const files = new Map<string, Buffer>();

beforeAll(async () => {
  const create = { width: 40, height: 30, channels: 3 as const, background: 'teal' };
  for (const format of ['jpeg', 'png', 'gif', 'webp', 'avif', 'tiff'] as const) {
    files.set(format, await sharp({ create }).toFormat(format).toBuffer());
  }
  files.set('bmp', bitmap(40, 30)).set('pdf', pdf(5)).set('packed pdf', packedPdf(5));
  for (const name of [...videoNames, 'vp9-live.webm', 'small.heic']) files.set(name, fixture(name));
});

/** One file of each kind, chosen at random. */
const file = fc.nat().map((number) => [...files.values()][number % files.size]!);
const rounds = { numRuns: 80 };
const limit = 60_000;

test(
  'random bytes, with or without the beginning of a real file, end in a result or an InspectionError',
  async () => {
    const content = fc.tuple(file, fc.nat({ max: 64 }), fc.uint8Array({ maxLength: 2_000 }));
    const property = fc.asyncProperty(content, async ([real, kept, random]) => {
      await endsWell(Buffer.concat([real.subarray(0, kept), random]));
    });
    await fc.assert(property, rounds);
  },
  limit,
);

test(
  'a file cut anywhere ends in a result or an InspectionError',
  async () => {
    const property = fc.asyncProperty(file, fc.double({ min: 0, max: 1, noNaN: true }), async (real, share) => {
      await endsWell(real.subarray(0, Math.floor(real.length * share)));
    });
    await fc.assert(property, rounds);
  },
  limit,
);

test(
  'a file with some bytes changed ends in a result or an InspectionError',
  async () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 12 });
    const property = fc.asyncProperty(file, changes, async (real, bytes) => {
      const changed = Buffer.from(real);
      for (const [at, value] of bytes) changed[at % changed.length] = value;
      await endsWell(changed);
    });
    await fc.assert(property, rounds);
  },
  limit,
);

async function endsWell(bytes: Uint8Array): Promise<void> {
  const started = performance.now();
  const outcome = await inspect(stored(bytes), { timeoutMs: 3_000 }).catch((error: unknown) => error);
  if (outcome instanceof Error) expect(outcome).toBeInstanceOf(InspectionError);
  else expect(outcome).toMatchObject({ size: bytes.length });
  expect(performance.now() - started).toBeLessThan(15_000);
}
