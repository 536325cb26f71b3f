import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { packedPdf, pdf, sparse, stored } from '../../../../test/support/files/inspection.ts';
import { inspect } from './inspect.ts';
import { metadataOf } from './inspection.ts';

test.each([1, 300])('%i pages are counted by the table', async (pages) => {
  const bytes = pdf(pages);
  expect(await inspect(stored(bytes))).toEqual({
    kind: 'document',
    mimeType: 'application/pdf',
    format: 'pdf',
    size: bytes.length,
    pageCount: pages,
    encrypted: false,
  });
});

test.each([1, 300])('%i pages are counted inside object streams', async (pages) => {
  expect(await inspect(stored(packedPdf(pages)))).toMatchObject({ pageCount: pages, encrypted: false });
});

test('an edited document has the pages of its last edit', async () => {
  const first = pdf(2);
  const tree = `2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n`;
  const line = `${String(first.length).padStart(10, '0')} 00000 n \n`;
  const previous = /startxref\n(\d+)/.exec(first.toString('latin1'))![1];
  const table = `xref\n2 1\n${line}trailer\n<< /Size 5 /Root 1 0 R /Prev ${previous} >>\n`;
  const edit = `${tree}${table}startxref\n${first.length + tree.length}\n%%EOF\n`;
  expect(await inspect(stored(Buffer.concat([first, Buffer.from(edit)])))).toMatchObject({ pageCount: 1 });
});

test('an encrypted document is marked; its pages are counted if they are not encrypted', async () => {
  expect(await inspect(stored(pdf(3, '/Encrypt 9 0 R ')))).toMatchObject({ pageCount: 3, encrypted: true });
  expect(await inspect(stored(packedPdf(3, '/Encrypt 9 0 R ')))).toMatchObject({ pageCount: null, encrypted: true });
});

test('a document whose table is damaged has no page count', async () => {
  const text = pdf(3).toString('latin1').replace('xref\n0', 'xxxx\n0');
  expect(await inspect(stored(Buffer.from(text, 'latin1')))).toMatchObject({ pageCount: null });
});

test('a table that refers to itself does not hang', async () => {
  const bytes = pdf(3);
  const start = /startxref\n(\d+)/.exec(bytes.toString('latin1'))![1];
  expect(await inspect(stored(pdf(3, `/Prev ${start} `)))).toMatchObject({ pageCount: 3 });
});

test('streams that inflate to more than 8 MB are ignored', async () => {
  // The same stream contains two objects of interest, and is inflated for each.
  expect(await inspect(stored(packedPdf(3, '', 4_000_000)))).toMatchObject({ pageCount: 3 });
  expect(await inspect(stored(packedPdf(3, '', 5_000_000)))).toMatchObject({ pageCount: null });
});

/** A document whose edits each added a cross-reference stream of this many zeros. */
function edited(edits: number, zeros: number, filter: string, content: Buffer): Buffer {
  let file = pdf(3);
  for (let edit = 0; edit < edits; edit += 1) {
    const previous = /startxref\n(\d+)\n%%EOF\n$/.exec(file.toString('latin1'))![1];
    const dictionary = `<< /Type /XRef /Size 5 /W [1 4 1] /Index [900 ${Math.floor(zeros / 6)}] /Root 1 0 R /Prev ${previous} ${filter}`;
    const head = Buffer.from(`${edit + 10} 0 obj\n${dictionary} /Length ${content.length} >>\nstream\n`);
    const end = Buffer.from(`\nendstream\nendobj\nstartxref\n${file.length}\n%%EOF\n`);
    file = Buffer.concat([file, head, content, end]);
  }
  return file;
}

const flate = '/Filter /FlateDecode';
test.each<[string, string, (zeros: Buffer) => Buffer]>([
  ['inflated', flate, deflateSync],
  ['inflated and predicted', `${flate} /DecodeParms << /Predictor 12 /Columns 6 >>`, deflateSync],
  ['plain', '', (zeros) => zeros],
])('the streams of all edits together may have 8 MB: %s', async (_, filter, pack) => {
  const withEdits = (count: number) => stored(edited(count, 1_000_000, filter, pack(Buffer.alloc(1_000_000))));
  expect(await inspect(withEdits(7))).toMatchObject({ pageCount: 3 });
  expect(await inspect(withEdits(9))).toMatchObject({ pageCount: null });
});

test('an object stream whose index has more than 64 kB is ignored', async () => {
  expect(await inspect(stored(packedPdf(4_000)))).toMatchObject({ pageCount: 4_000 });
  expect(await inspect(stored(packedPdf(8_000)))).toMatchObject({ pageCount: null });
});

test('others have their turn while a large cross-reference stream is read', async () => {
  const file = edited(1, 7_000_000, '/DecodeParms << /Predictor 12 >>', Buffer.alloc(7_000_000));
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  expect(await inspect(stored(file))).toMatchObject({ pageCount: 3 });
  isDone = true;
  expect(turns).toBeGreaterThan(10);
});

test('a truncated document is refused', async () => {
  const refused = inspect(stored(pdf(3).subarray(0, 300)));
  await expect(refused).rejects.toMatchObject({ code: 'PROBE_FAILED', message: expect.stringMatching(/incomplete/) });
});

test('only a few blocks of a 100 MB document are read', async () => {
  const bytes = pdf(300);
  const text = bytes.toString('latin1');
  const table = text.indexOf('xref\n0');
  const room = 100 * 1_048_576;
  const end = Buffer.from(text.slice(table).replace(/startxref\n\d+/, `startxref\n${table + room}`), 'latin1');
  const source = sparse([bytes.subarray(0, table), room, end]);
  expect(await inspect(source)).toMatchObject({ pageCount: 300 });
  expect(source.bytesRead).toBeLessThan(1_000_000);
});

test('metadata of a document has its size and format', async () => {
  const bytes = pdf(1);
  expect(metadataOf(await inspect(stored(bytes)))).toMatchObject({ size: bytes.length, format: 'pdf', width: null });
});
