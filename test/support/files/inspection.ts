import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import type { MediaSource } from '../../../src/features/files/inspection/bytes.ts';

export const videoNames = ['moov-last.mp4', 'fragmented.mp4', 'rotated.mov', 'h264.mkv', 'vp8.webm', 'mpeg4.avi'];

export function fixture(name: string): Buffer {
  return readFileSync(new URL(`../../fixtures/inspection/${name}`, import.meta.url));
}

/** A stored file that counts the bytes read. */
export function stored(bytes: Uint8Array): MediaSource & { bytesRead: number } {
  return sparse([bytes]);
}

/** A file in which a number stands for that many zeros, which take no memory. */
export function sparse(parts: (Uint8Array | number)[]): MediaSource & { bytesRead: number } {
  const lengthOf = (part: Uint8Array | number) => (typeof part === 'number' ? part : part.length);
  const source = {
    owner: 'ada',
    size: parts.reduce<number>((sum, part) => sum + lengthOf(part), 0),
    bytesRead: 0,
    async read(start: number, end: number) {
      source.bytesRead += end - start;
      const bytes = new Uint8Array(end - start);
      let at = 0;
      for (const part of parts) {
        if (typeof part !== 'number' && at < end && at + part.length > start) {
          bytes.set(part.subarray(Math.max(0, start - at), end - at), Math.max(0, at - start));
        }
        at += lengthOf(part);
      }
      return bytes;
    },
  };
  return source;
}

/** A WebM whose frames start 200 MB after its header. */
export function gappedWebm(): MediaSource {
  const bytes = fixture('vp8.webm');
  const size = bytes.indexOf('18538067', 0, 'hex') + 4;
  const cluster = bytes.indexOf('1f43b675', 0, 'hex');
  const gap = 200 * 1_048_576;
  const filler = Buffer.from('ec0100000000000000', 'hex');
  filler.writeUInt32BE(gap, 5);
  bytes.writeUInt32BE(bytes.readUInt32BE(size + 4) + filler.length + gap, size + 4);
  return sparse([bytes.subarray(0, cluster), filler, gap, bytes.subarray(cluster)]);
}

/** 24 bits per pixel, all black. */
export function bitmap(width: number, height: number): Buffer {
  const file = Buffer.alloc(54 + Math.ceil((width * 24) / 32) * 4 * height);
  file.write('BM');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(-height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  return file;
}

/** A document with a cross-reference table, one object per page. */
export function pdf(pages: number, trailer = ''): Buffer {
  let text = '%PDF-1.7\n';
  const offsets = documentObjects(pages).map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = offsets.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${lines}trailer\n<< /Size ${size} /Root 1 0 R ${trailer}>>\n`;
  return Buffer.from(`${text}${table}startxref\n${text.length}\n%%EOF\n`, 'latin1');
}

/** The same document with all objects in one compressed stream and a cross-reference stream. */
export function packedPdf(pages: number, trailer = '', padding = 0): Buffer {
  const objects = documentObjects(pages);
  const [streamNumber, xrefNumber] = [objects.length + 1, objects.length + 2];
  let at = 0;
  const pairs = objects.map((object, index) => {
    const pair = `${index + 1} ${at}`;
    at += object.length + 1;
    return pair;
  });
  const index = `${pairs.join(' ')} `;
  const packed = deflateSync(`${index}${objects.join(' ')}${' '.repeat(padding)}`);
  const head = Buffer.from(
    `%PDF-1.7\n${streamNumber} 0 obj\n<< /Type /ObjStm /N ${objects.length} /First ${index.length} ` +
      `/Filter /FlateDecode /Length ${packed.length} >>\nstream\n`,
  );
  const body = Buffer.concat([head, packed, Buffer.from('\nendstream\nendobj\n')]);
  const rows = [[0, 0, 0, 0]];
  objects.forEach((_, position) => {
    rows.push([2, streamNumber >> 8, streamNumber & 255, position & 255]);
  });
  rows.push([1, 0, 9, 0], [1, body.length >> 8, body.length & 255, 0]);
  // Every row has the "up" filter, as in files from PDF writers.
  const filtered = rows.flatMap((row, n) => [2, ...row.map((value, i) => (value - (n ? rows[n - 1]![i]! : 0)) & 255)]);
  const xref = deflateSync(Buffer.from(filtered));
  const xrefHead =
    `${xrefNumber} 0 obj\n<< /Type /XRef /Size ${rows.length} /W [1 2 1] /Root 1 0 R ${trailer}/Filter /FlateDecode ` +
    `/DecodeParms << /Predictor 12 /Columns 4 >> /Length ${xref.length} >>\nstream\n`;
  const end = `\nendstream\nendobj\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.concat([body, Buffer.from(xrefHead), xref, Buffer.from(end)]);
}

function documentObjects(pages: number): string[] {
  const kids = Array.from({ length: pages }, (_, index) => `${index + 3} 0 R`).join(' ');
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>';
  return [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    ...Array.from({ length: pages }, () => page),
  ];
}
