import { shownNameOf } from '../src/platforms/descriptions.ts';
import { connectables, platforms } from '../src/platforms/index.ts';
import type { Description, Limits } from '../src/platforms/kit/index.ts';

const [start, end] = ['<!-- generated from src/platforms: npm run generate -->', '<!-- end of generated -->'];

/** The page with the table of networks, generated from their descriptions. */
export function withNetworks(page: string): string {
  const [before, after] = [page.indexOf(start), page.indexOf(end)];
  if (before === -1 || after < before) throw new Error('docs/networks.md has no place for the networks.');
  return `${page.slice(0, before)}${start}\n\n${table()}\n\n${connectOnly()}\n\n${page.slice(after)}`;
}

const table = () =>
  [
    '| network | text | images, at most | video | also supported |',
    '|---|---|---|---|---|',
    ...Object.values<Description>(platforms).map((network) => `| ${cellsOf(network).join(' | ')} |`),
  ].join('\n');

const cellsOf = ({ id, limits, ...network }: Description) => [
  shownNameOf(id),
  textOf(limits),
  limits.images?.max ?? 'none',
  limits.video ? '✓' : 'no',
  moreOf({ limits, ...network }).join(', '),
];

const textOf = ({ threads, videoRequired, mediaRequired }: Limits) =>
  threads ? 'threads' : videoRequired ? 'with a video' : mediaRequired ? 'with media' : '✓';

const moreOf = ({ limits, highlights = [], attachedImage }: Omit<Description, 'id'>): string[] => [
  ...highlights,
  ...(limits.documents ? ['PDF'] : []),
  ...(attachedImage ? [`${attachedImage.field}s`] : []),
  ...(limits.firstComment ? ['first comments'] : []),
];

function connectOnly(): string {
  const others = Object.keys(connectables).filter((id) => !(id in platforms));
  const names = new Intl.ListFormat('en-GB').format(others.map(shownNameOf));
  return others.length > 0 ? `${names} accounts can be connected; posting there is not available.` : '';
}
