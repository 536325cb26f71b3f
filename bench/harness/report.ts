import type { Aim, Row, Skipped } from './benchmark.ts';
import type { Spread } from './percentile.ts';
import { partyNames, type Shares } from './processes.ts';

export type Reported = (Row | Skipped) & { benchmark: string };

const headings = ['what', 'ours', 'against', 'ratio (min..max)', 'aim', 'cores % client/service/db/sandbox', 'counted'];

/** A Markdown table with aligned columns. */
export function tableOf(rows: readonly Reported[]): string {
  const lines = [headings, headings.map(() => '---'), ...rows.map(cellsOf)];
  const widths = headings.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
  return lines
    .map((cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`)
    .join('\n');
}

function cellsOf(row: Reported): string[] {
  if ('skipped' in row) return [row.what, 'not measured', '', '', '', '', row.skipped];
  const { what, unit, ours, against, ceiling, ratio, aim, shares, counted } = row;
  return [
    what,
    `${short(ours.median)} ${unit}${ratio ? '' : rangeOf(ours)}`,
    against ? `${against}: ${short(ceiling!.median)} ${unit}` : '',
    ratio ? `${ratio.median.toFixed(2)}${rangeOf(ratio, 2)}` : '',
    aim ? `${aimText(aim)}${isMet(row) ? '' : '  MISSED'}` : '',
    sharesText(shares),
    counted,
  ];
}

/** Whether the figure meets its aim; null if it has none. */
export function isMet({ aim, ratio, ours }: Row): boolean | null {
  if (!aim) return null;
  const { median } = ratio ?? ours;
  return 'atLeast' in aim ? median >= aim.atLeast : median <= aim.atMost;
}

const aimText = (aim: Aim) => ('atLeast' in aim ? `>= ${aim.atLeast}` : `<= ${aim.atMost}`);

/** A single round has no spread. */
function rangeOf({ min, max }: Spread, digits?: number): string {
  if (min === max) return '';
  const text = (value: number) => (digits === undefined ? short(value) : value.toFixed(digits));
  return ` (${text(min)}..${text(max)})`;
}

const short = (value: number) => (Math.abs(value) < 10 ? value.toFixed(2) : Math.round(value).toLocaleString('en'));

const sharesText = (shares: Shares | null) =>
  shares ? partyNames.map((name) => Math.round(shares[name] * 100)).join('/') : '';
