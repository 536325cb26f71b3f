import type { WriteStream } from 'node:tty';
import { type CommandError, exitCodes } from './failures.ts';

type Stream = NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

export interface Progress {
  update(done: number): void;
  end(): void;
}

/** Output of a command: results go to standard output, everything else to standard error. */
export interface Output {
  readonly isJson: boolean;
  /** The result of a command, or one event of several. */
  result(command: string, data: unknown, lines: readonly string[]): void;
  failure(command: string, error: CommandError): void;
  /** Shown only to people. */
  note(text: string): void;
  /** A progress bar, if there is a terminal. */
  progress(label: string, total: number): Progress;
  readonly paint: Paint;
}

const colours = { red: 31, green: 32, yellow: 33, grey: 90, bold: 1 } as const;
type Paint = Record<keyof typeof colours, (text: string) => string>;

export function openOutput(
  isJson: boolean,
  { stdout, stderr, environment }: { stdout: Stream; stderr: Stream; environment: Record<string, string | undefined> },
): Output {
  const mayPaint = !environment.NO_COLOR && environment.TERM !== 'dumb';
  const print = (stream: Stream, lines: readonly string[]) => {
    if (lines.length > 0) stream.write(`${lines.join('\n')}\n`);
  };
  const errorPaint = painting(Boolean(stderr.isTTY) && mayPaint);
  return {
    isJson,
    paint: painting(Boolean(stdout.isTTY) && mayPaint && !isJson),
    result(command, data, lines) {
      print(stdout, isJson ? [jsonOf({ ok: true, command, data: data ?? null })] : lines.map(withColours));
    },
    failure(command, { code, message, hint, data, lines, exit }) {
      if (isJson) {
        const error = { code, message, hint };
        print(stdout, [jsonOf({ ok: false, command, error, ...(data !== undefined && { data }) })]);
        return;
      }
      const ownHelp = ['See: crier', command, '--help'].filter(Boolean).join(' ');
      const help = exitCodes[exit] === exitCodes.wrongUse && !hint ? ownHelp : hint;
      const about = [`${errorPaint.red('Error:')} ${oneLine(message)}`, ...lines.map((line) => `  ${oneLine(line)}`)];
      print(stderr, [...about, ...(help ? [errorPaint.grey(oneLine(help))] : [])]);
    },
    note(text) {
      if (!isJson) print(stderr, [withColours(text)]);
    },
    progress: (label, total) =>
      stderr.isTTY && !isJson ? progressBar(stderr, label, total) : { update() {}, end() {} },
  };
}

function painting(isOn: boolean): Paint {
  const entries = Object.entries(colours).map(([name, code]) => [
    name,
    (text: string) => (isOn ? `\u001b[${code}m${text}\u001b[0m` : text),
  ]);
  return Object.fromEntries(entries);
}

function progressBar(stream: Stream, label: string, total: number): Progress {
  const width = Math.max(10, Math.min(30, (stream.columns ?? 80) - label.length - 10));
  let shown = '';
  return {
    update(done) {
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const full = Math.round(share * width);
      const bar = `${label} ${'█'.repeat(full)}${'░'.repeat(width - full)} ${Math.floor(share * 100)}%`;
      if (bar === shown) return;
      shown = bar;
      stream.write(`\r${bar}`);
    },
    end() {
      if (shown) stream.write('\n');
    },
  };
}

/** Control characters, and those that change the direction of text. */
const control =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to remove.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Strips control characters: text from others must not control the terminal. */
export const plain = (text: string) => text.replace(control, '');

/** Text from others must not look like further lines of ours. */
const oneLine = (text: string) => plain(text).replace(/[\n\u2028\u2029]\s*/g, ' ');

/** `JSON.stringify` leaves most control characters as they are. */
const jsonOf = (data: unknown) =>
  JSON.stringify(data).replace(control, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same for a line that contains the command's own colours. */
const withColours = (line: string) =>
  line
    .split(colour)
    .map((piece, index) => (index % 2 === 1 ? piece : plain(piece)))
    .join('');
// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins each of our colours.
const colour = /(\u001b\[\d{1,2}m)/;

/** Columns are as wide as their content. A coloured cell is `[text, paint]`. */
export type Cell = string | readonly [text: string, paint: (text: string) => string];

export function table(head: readonly string[], rows: readonly (readonly Cell[])[], paint: Paint): string[] {
  const textOf = (cell: Cell) => plain(typeof cell === 'string' ? cell : cell[0]).replace(/\s+/g, ' ');
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => textOf(row[column] ?? '').length)),
  );
  const line = (cells: readonly Cell[]) =>
    cells
      .map((cell, column) => {
        const text = textOf(cell);
        const padded = column === cells.length - 1 ? text : text.padEnd(widths[column]!);
        return typeof cell === 'string' ? padded : cell[1](padded);
      })
      .join('  ');
  return [paint.bold(line(head)), ...rows.map(line)];
}
