import { streamChanges, streamSignals } from '../src/foundation/events/stream-events.ts';
import { fieldsOf } from './webhook-docs.ts';

const [start, end] = [
  '<!-- generated from src/foundation/events/stream-events.ts: npm run generate -->',
  '<!-- end of generated -->',
];

/** The page on the event stream, with the current table of events. */
export function withStreamEvents(page: string): string {
  const [before, after] = [page.indexOf(start), page.indexOf(end)];
  if (before === -1 || after < before) throw new Error('docs/events.md has no place for the events.');
  return `${page.slice(0, before)}${start}\n\n${table()}\n\n${page.slice(after)}`;
}

function table(): string {
  const rows = Object.entries({ ...streamSignals, ...streamChanges }).map(
    ([name, { summary, data }]) => `| \`${name}\` | ${summary} | ${fieldsOf(data) || 'none'} |`,
  );
  return ['| event | sent when | `data` |', '|---|---|---|', ...rows].join('\n');
}
