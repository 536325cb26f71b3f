import { type Column, columns } from './columns.ts';
import { type CsvRecord, parseCsv } from './csv.ts';

/** A row of a file before validation. */
export interface ImportRow {
  /** The first line in the file, counted from 1. */
  line: number;
  text: string;
  to: string[];
  at: string | null;
  media: string[];
  /** In the order of the media. */
  alt: string[];
  comments: string[];
}

export interface RowProblem {
  line: number;
  message: string;
}

export interface FileRows {
  rows: ImportRow[];
  problems: RowProblem[];
}

/** A CSV file: its first line, and the others. */
export interface Table {
  names: string[];
  records: CsvRecord[];
}

export const isJsonLines = (name: string) => /\.(jsonl|ndjson)$/i.test(name);

/** Spreadsheets use semicolons in some languages, and some export tabs. */
export function readTable(content: string): Table {
  const source = content.replace(/^\ufeff/, '');
  const tables = [',', ';', '\t'].map((delimiter) => parseCsv(source, delimiter));
  const widthOf = ([head]: readonly CsvRecord[]) => head?.cells.length ?? 0;
  const [head, ...records] = tables.reduce((widest, table) => (widthOf(table) > widthOf(widest) ? table : widest));
  return { names: head?.cells.map((cell) => cell.trim()) ?? [], records };
}

/** The rows, with each column of the table read as one of ours, or not at all. */
export function rowsOf({ names, records }: Table, columns: readonly (Column | null)[]): FileRows {
  const found: FileRows = { rows: [], problems: [] };
  if (!columns.includes('text')) return found;
  for (const { line, cells } of records) {
    if (cells.length > names.length) {
      const message = `This row has ${cells.length} cells, but the header has ${names.length}. Put quotes around text with commas.`;
      found.problems.push({ line, message });
      continue;
    }
    const cell = (column: Column) => cells[columns.indexOf(column)]?.trim() ?? '';
    const fields = columns.flatMap((column, index) =>
      column && column !== 'time' ? [[column, cells[index] ?? '']] : [],
    );
    const at = `${cell('at')} ${cell('time')}`.trim();
    addRow(found, line, { ...Object.fromEntries(fields), ...(at && { at }) });
  }
  return found;
}

export function readJsonLines(content: string): FileRows {
  const found: FileRows = { rows: [], problems: [] };
  for (const [index, text] of content
    .replace(/^\ufeff/, '')
    .split('\n')
    .entries()) {
    if (text.trim() === '') continue;
    const fields = objectIn(text);
    if (fields) addRow(found, index + 1, fields);
    else found.problems.push({ line: index + 1, message: 'This line isn’t a JSON object.' });
  }
  return found;
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function addRow({ rows, problems }: FileRows, line: number, fields: Record<string, unknown>) {
  const known: readonly string[] = columns.filter((column) => column !== 'time');
  const unknown = Object.keys(fields).filter((name) => name !== '' && !known.includes(name));
  if (unknown.length > 0) {
    const message = `Unknown column: ${unknown.join(', ')}. Supported columns: ${known.join(', ')}.`;
    problems.push({ line, message });
    return;
  }
  const { text, to, at, media, alt, comment, thread } = fields;
  rows.push({
    line,
    text: threadOf(typeof text === 'string' ? text : '', thread),
    to: listOf(to),
    at: typeof at === 'string' && at.trim() ? at.trim() : null,
    media: listOf(media),
    alt: itemsOf(alt),
    comments: listOf(comment),
  });
}

/** `thread` contains more parts, or makes each paragraph of the text a part. */
function threadOf(text: string, thread: unknown): string {
  const word = typeof thread === 'string' ? thread.trim().toLowerCase() : thread;
  if (word === true || word === 'true' || word === 'yes' || word === '1') return paragraphsAsParts(text);
  if (word === 'false' || word === 'no' || word === '0') return text;
  return [text, ...listOf(thread)].join(partBreak);
}

const partBreak = '\n---\n';

function paragraphsAsParts(text: string): string {
  if (/^---$/m.test(text)) return text;
  const paragraphs = text.split(/\n\s*\n/).map((part) => part.trim());
  return paragraphs.filter(Boolean).join(partBreak);
}

const listOf = (value: unknown): string[] => itemsOf(value).filter(Boolean);

/** Keeps empty items: a file may have no alt text while the next one has. */
function itemsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map((item) => String(item ?? '').trim());
  return typeof value === 'string' ? value.split(';').map((item) => item.trim()) : [];
}
