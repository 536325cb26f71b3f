import { asThread } from './read-text.ts';

/** A row of the file, not validated yet. */
export interface Row {
  /** The line where the row starts, from 1. */
  line: number;
  text: string;
  to: string[];
  at: string | null;
  media: string[];
  /**
   * In the order of the media. Absent if the row has none, so that the row keeps the key it would have without the
   * column.
   */
  alt?: string[];
  comments: string[];
}
/** A problem with one line. */
export interface RowProblem {
  line: number;
  code: string;
  message: string;
}

export const columns = ['text', 'to', 'at', 'media', 'alt', 'comment', 'thread'];

/** Reads a CSV file with a header, or JSON lines. */
export function readRows(name: string, content: string): { rows: Row[]; problems: RowProblem[] } {
  const source = content.replace(/^\ufeff/, '');
  return /\.(jsonl|ndjson)$/i.test(name) ? readJsonLines(source) : readCsv(source);
}

function readJsonLines(content: string) {
  const [rows, problems]: [Row[], RowProblem[]] = [[], []];
  for (const [index, line] of content.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      const fields: unknown = JSON.parse(line);
      if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
        throw new Error('Write an object with the columns as names.');
      addRow({ line: index + 1, fields: fields as Record<string, unknown>, rows, problems });
    } catch (error) {
      const message = `This line is not valid JSON: ${error instanceof Error ? error.message : error}`;
      problems.push({ line: index + 1, code: 'ROW_UNREADABLE', message });
    }
  }
  return { rows, problems };
}

function readCsv(content: string) {
  const [rows, problems]: [Row[], RowProblem[]] = [[], []];
  const { records: all, unclosed } = parseCsv(content);
  const [head, ...records] = all;
  const names = (head?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  if (!names.includes('text') || !names.includes('to')) {
    const message = `The first line must name the columns, at least text and to. Valid columns: ${columns.join(', ')}`;
    return { rows, problems: [{ line: 1, code: 'HEADER_MISSING', message }] };
  }
  for (const { line, cells } of records) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (cells.length > names.length) {
      const message = `There are ${cells.length} cells for ${names.length} columns. Put quotes around a text with commas.`;
      problems.push({ line, code: 'ROW_UNREADABLE', message });
      continue;
    }
    addRow({
      line,
      fields: Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])),
      rows,
      problems,
    });
  }
  if (unclosed !== null) {
    const message = 'In this line a quote begins that is not closed. Write a quote inside a quoted text twice.';
    problems.push({ line: unclosed, code: 'QUOTE_NOT_CLOSED', message });
  }
  return { rows, problems };
}

interface Found {
  line: number;
  fields: Record<string, unknown>;
  rows: Row[];
  problems: RowProblem[];
}

function addRow({ line, fields, rows, problems }: Found) {
  const unknown = Object.keys(fields).filter((name) => !columns.includes(name));
  if (unknown.length > 0) {
    const message = `There is no column ${unknown.join(', ')}. Valid columns: ${columns.join(', ')}`;
    problems.push({ line, code: 'COLUMN_UNKNOWN', message });
    return;
  }
  const { text, to, at, media, alt, comment, thread } = fields;
  const altTexts = itemsOf(alt);
  rows.push({
    line,
    text: threadOf(typeof text === 'string' ? text : '', thread),
    to: listOf(to),
    at: typeof at === 'string' && at.trim() ? at.trim() : null,
    media: listOf(media),
    ...(altTexts.some(Boolean) && { alt: altTexts }),
    comments: listOf(comment),
  });
}

/** `thread` has more parts, or marks the text as a thread. */
function threadOf(text: string, thread: unknown): string {
  if (thread === true || (typeof thread === 'string' && /^(true|yes|1)$/i.test(thread.trim()))) return asThread(text);
  if (typeof thread === 'string' && /^(false|no|0)$/i.test(thread.trim())) return text;
  return [text, ...listOf(thread)].join('\n---\n');
}

const listOf = (value: unknown): string[] => itemsOf(value).filter(Boolean);

/** Keeps empty items: a file without alt text may come before one that has it. */
function itemsOf(value: unknown): string[] {
  const items = Array.isArray(value)
    ? value.map((item) => String(item ?? ''))
    : typeof value === 'string'
      ? value.split(';')
      : [];
  return items.map((item) => item.trim());
}

interface CsvRecord {
  line: number;
  cells: string[];
}

/**
 * RFC 4180: quoted cells may contain commas, line breaks and doubled quotes. `unclosed` is the line of a quote that
 * never ends; the text after it is in no record.
 */
function parseCsv(content: string): { records: CsvRecord[]; unclosed: number | null } {
  const records: CsvRecord[] = [];
  let [cells, cell, line, begin]: [string[], string, number, number] = [[], '', 1, 1];
  /** The line where the quote around this cell started. */
  let quote: number | null = null;
  const endRecord = () => {
    records.push({ line: begin, cells: [...cells, cell] });
    [cells, cell, begin] = [[], '', line];
  };
  for (let at = 0; at < content.length; at += 1) {
    const character = content[at]!;
    if (character === '\n') line += 1;
    if (quote !== null) {
      if (character !== '"') cell += character;
      else if (content[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quote = null;
    } else if (character === '"' && cell.trim() === '') [quote, cell] = [line, ''];
    else if (character === ',') [cells, cell] = [[...cells, cell], ''];
    else if (character === '\n') endRecord();
    else if (character !== '\r') cell += character;
  }
  if (quote === null && (cell !== '' || cells.length > 0)) endRecord();
  return { records, unclosed: quote };
}
