import { createRequire } from 'node:module';
import { readBytes } from '../imaging/serve-jobs.ts';
import type { VideoMetadata } from './inspection.ts';

// The CommonJS build is one file instead of a hundred modules, so the process starts sooner.
const { CustomSource, Input, Logging, LogLevel, MATROSKA, MP4, QTFF, WEBM } = createRequire(import.meta.url)(
  'mediabunny',
) as typeof import('mediabunny');

Logging.level = LogLevel.Silent;

class Refusal extends Error {}

/** The properties in the container of a video of this size, or why it is refused. Runs in a separate process. */
export async function readVideo(size: number): Promise<VideoMetadata | { refused: string }> {
  try {
    return await readMetadata(size);
  } catch (error) {
    return {
      refused: error instanceof Refusal ? error.message : 'The video is damaged or incomplete. Upload it again.',
    };
  }
}

async function readMetadata(size: number): Promise<VideoMetadata> {
  const source = new CustomSource({ getSize: () => size, read, handleUnhandledError: () => {} });
  using input = new Input({ formats: [MP4, QTFF, MATROSKA, WEBM], source });
  const track = await input.getPrimaryVideoTrack();
  if (!track) throw new Refusal('The file has no video track.');
  const width = await track.getDisplayWidth();
  const height = await track.getDisplayHeight();
  if (!(width > 0 && height > 0)) throw new Refusal('The video does not have a width and a height.');
  // 64 frames of a Matroska file's first cluster are enough. An MP4 has the whole table in its index.
  const rate = await track.computeFrameRateMetrics({ targetPacketCount: 64 });
  if (rate.probedPacketCount === 0) throw new Refusal('The video has no frames.');
  const duration = (await input.getDurationFromMetadata()) ?? (await input.computeDuration().catch(() => null));
  const codec = (await track.getCodec()) ?? (await track.getInternalCodecId());
  return {
    width: Math.round(width),
    height: Math.round(height),
    durationSeconds: positive(duration),
    frameRate: rate.probedPacketCount > 1 ? positive(rate.bestGuessFrameRate) : null,
    codecName: codec === 'avc' ? 'h264' : printable(codec),
  };
}

/** The file may name anything. Real codecs have names of up to about thirty characters. */
const printable = (codec: unknown): string | null =>
  typeof codec === 'string' && /^[\x20-\x7e]{1,64}$/.test(codec) ? codec.trim() : null;

/** Rounded to thousandths. Null unless it is a positive number. */
function positive(value: number | null): number | null {
  return value !== null && value > 0 && Number.isFinite(value) ? Math.round(value * 1_000) / 1_000 : null;
}

const pieceBytes = 2_097_152;

/** In pieces, so that the service never has all of a long index in memory. */
async function read(start: number, end: number): Promise<Uint8Array> {
  const whole = new Uint8Array(end - start);
  for (let at = start; at < end; at += pieceBytes) {
    whole.set(await readBytes(at, Math.min(end, at + pieceBytes)), at - start);
  }
  return whole;
}
