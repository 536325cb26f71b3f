import type { Bytes } from './bytes.ts';
import { InspectionError, type VideoMetadata } from './inspection.ts';

/** Maps the four-letter code in the stream header to ffprobe's name. */
const codecNames: Record<string, string> = {
  h264: 'h264',
  x264: 'h264',
  avc1: 'h264',
  xvid: 'mpeg4',
  divx: 'mpeg4',
  dx50: 'mpeg4',
  fmp4: 'mpeg4',
  mp4v: 'mpeg4',
  mjpg: 'mjpeg',
  hevc: 'hevc',
};

/** Reads the RIFF header list of an AVI, because mediabunny does not support the format. */
export async function readAvi(bytes: Bytes): Promise<VideoMetadata> {
  const head = Buffer.from(await bytes.read(0, 65_536));
  let isVideo = false;
  let facts: Pick<VideoMetadata, 'durationSeconds' | 'frameRate'> = { durationSeconds: null, frameRate: null };
  for (const { name, body } of chunks(head, 12)) {
    if (name === 'strh' && body.length >= 36) {
      isVideo = body.toString('latin1', 0, 4) === 'vids';
      const rate = body.readUInt32LE(24) / body.readUInt32LE(20);
      const frames = body.readUInt32LE(32);
      if (rate > 0 && Number.isFinite(rate)) {
        facts = { frameRate: thousandths(rate), durationSeconds: frames ? thousandths(frames / rate) : null };
      }
    }
    if (name === 'strf' && isVideo && body.length >= 20) {
      const width = body.readInt32LE(4);
      const height = Math.abs(body.readInt32LE(8));
      const code = body.toString('latin1', 16, 20).toLowerCase();
      if (width > 0 && height > 0) return { width, height, ...facts, codecName: codecNames[code] ?? printable(code) };
    }
  }
  throw new InspectionError('PROBE_FAILED', 'The file has no video track, or its header is damaged.');
}

/**
 * The chunks of the header, with lists flattened. A chunk consists of four letters, a length and a body padded to an
 * even length.
 */
function* chunks(head: Buffer, start: number): Generator<{ name: string; body: Buffer }> {
  for (let at = start; at + 8 <= head.length; ) {
    const name = head.toString('latin1', at, at + 4);
    const length = head.readUInt32LE(at + 4);
    if (name === 'LIST') at += 12;
    else {
      yield { name, body: head.subarray(at + 8, at + 8 + length) };
      at += 8 + length + (length % 2);
    }
  }
}

function thousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

function printable(code: string): string | null {
  return /^[\x21-\x7e]+ *$/.test(code) ? code.trim() : null;
}
