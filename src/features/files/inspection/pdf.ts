import type { Bytes } from './bytes.ts';
import { type DocumentInspection, type FileType, InspectionError } from './inspection.ts';
import { openObjects, type PdfObjects } from './pdf-objects.ts';

/** Viewers search fewer bytes for the end of a document, but mail programs may append lines. */
const tailSize = 16_384;

export async function inspectPdf(bytes: Bytes, type: FileType): Promise<DocumentInspection> {
  const tail = Buffer.from(await bytes.read(bytes.size - tailSize, bytes.size)).toString('latin1');
  const start = [...tail.matchAll(/startxref\s+(\d{1,15})/g)].at(-1)?.[1];
  if (!start) {
    throw new InspectionError('PROBE_FAILED', 'The PDF is damaged or incomplete: its end is missing. Upload it again.');
  }
  const objects = await openObjects(bytes, Number(start));
  const pageCount = objects && (await countPages(objects));
  return { ...type, kind: 'document', size: bytes.size, pageCount, encrypted: objects?.encrypted ?? false };
}

/** The root of the page tree contains the number of pages. */
async function countPages(objects: PdfObjects): Promise<number | null> {
  const catalog = await objects.text(objects.root);
  const pages = catalog?.match(/\/Pages\s+(\d+)\s+\d+\s+R/)?.[1];
  const tree = pages ? await objects.text(Number(pages)) : null;
  const count = tree?.match(/\/Count\s+(\d{1,9})\b(?!\s+\d+\s+R)/)?.[1];
  return count ? Number(count) : null;
}
