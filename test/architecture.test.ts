import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { postLogEventNames, webhookEventNames, webhookTest } from '../src/events/catalogue.ts';

/** Features that go to addresses users give; no other may. */
const outgoing = new Set(['connections', 'media', 'posts', 'attachments', 'publishing', 'interactions', 'webhooks']);

/** Who may import whom: the first line whose pattern fits a file lists where its imports may lead. */
const layers: [layer: RegExp, mayImport: RegExp[]][] = [
  [/^src\/lib\//, [/^src\/lib\//]],
  [/^src\/platforms\/kit\//, [/^src\/lib\//, /^src\/platforms\/kit\//]],
  [/^src\/platforms\/[\w-]+\.ts$/, [/^src\/lib\//, /^src\/errors\.ts$/, /^src\/platforms\//]],
  // What Meta's networks share.
  [/^src\/platforms\/graph\//, [/^src\/lib\//, /^src\/platforms\/kit\/index\.ts$/, /^src\/platforms\/graph\//]],
  // A network knows the kit and itself, and what its family shares, never another network.
  [
    /^src\/platforms\/(\w+)\//,
    [/^src\/lib\//, /^src\/platforms\/kit\/index\.ts$/, /^src\/platforms\/graph\//, /^src\/platforms\/$1\//],
  ],
  [/^src\/egress\//, [/^src\/(lib|egress)\//]],
  [/^src\/events\//, [/^src\/(lib|events)\//]],
  [/^src\/db\//, [/^src\/lib\//, /^src\/db\//]],
  [/^src\/periodic\//, [/^src\/lib\//, /^src\/db\//, /^src\/periodic\//]],
  [/^src\/http\//, [/^src\/(lib|db|periodic|http)\//, /^src\/errors\.ts$/]],
  [/^src\/errors\.ts$/, []],
  [/^src\/config\.ts$/, [/^src\/lib\//, /^src\/platforms\/index\.ts$/]],
  // Features stand in a row: each may use those to its left, through the file of the feature's name.
  ...row(
    'accounts',
    'connections',
    'media',
    'posts',
    'attachments',
    'publishing',
    'insights',
    'interactions',
    'webhooks',
  ),
  [/^src\/health\//, [/^src\/(lib|db|http|health)\//]],
  [/^src\/app\.ts$/, [/^src\/(config|app)\.ts$/, /^src\/(lib|db|egress|platforms|media\/storage)\//]],
  [/^src\/server\.ts$/, [/^src\/http\//, /[/-]routes\.ts$/]],
  [/^src\/worker\.ts$/, [/\/tasks\.ts$/, /^src\/periodic\//]],
  [/^src\/(main|start)\.ts$/, [/^src\/(start|config|app|server|worker)\.ts$/, /^src\/(db|startup)\//]],
  [
    /^src\/(startup|admin)\//,
    [
      /^src\/(startup|admin|lib|db|config|app|errors|platforms|http\/auth)\b/,
      ...useCases('accounts', 'connections', 'posts'),
    ],
  ],
  // Written from the vendors' facts alone, so that adapters and sandbox check each other.
  [/^sandbox\//, [/^sandbox\//]],
];

/** Words that belong to one place. */
const words: [rule: string, word: RegExp, where: RegExp][] = [
  ['the environment is read once, in config.ts', /\bprocess\.env\b/, /^(src\/config\.ts|sandbox\/main\.ts)$/],
  ['time comes from app.clock', /\bnew Date\(\)|\bDate\.now\(\)/, /^(src\/lib\/clock\.ts|sandbox\/.*)$/],
  [
    'the world is reached through ctx.fetch',
    /(?<![.\w]|async )fetch\(|\bglobalThis\.fetch\b/,
    /^(src\/app\.ts|src\/startup\/.*|sandbox\/.*)$/,
  ],
  ['sockets to addresses that users give are opened by the egress guard', /\bundici\b/, /^src\/egress\/.*$/],
  ['chance that matters comes from node:crypto', /\bMath\.random\(\)/, /^$/],
  ['events are named in the catalogue', quoted(eventNames()), /^src\/events\/catalogue\.ts$/],
];

const root = new URL('..', import.meta.url).pathname;
const files = ['src', 'sandbox'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')),
);

describe('who may import whom', () => {
  test('every file belongs to a layer', () => {
    expect(files.filter((file) => !layerOf(file))).toEqual([]);
  });

  test('imports lead only where the layer may look', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => !mayImport(file, target))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('the rule notices a wrong import', () => {
    expect(mayImport('src/platforms/mastodon/publish.ts', 'src/platforms/twitter/api.ts')).toBe(false);
    expect(mayImport('src/lib/ids.ts', 'src/db/database.ts')).toBe(false);
    expect(mayImport('src/accounts/accounts.ts', 'src/posts/posts.ts')).toBe(false);
    expect(mayImport('src/posts/posts.ts', 'src/accounts/queries.ts')).toBe(false);
    expect(mayImport('sandbox/server.ts', 'src/lib/ids.ts')).toBe(false);
    expect(mayImport('src/accounts/accounts.ts', 'src/egress/egress.ts')).toBe(false);
    expect(mayImport('src/platforms/mastodon/api.ts', 'src/egress/egress.ts')).toBe(false);
    expect(mayImport('src/egress/egress.ts', 'src/db/database.ts')).toBe(false);
    expect(mayImport('src/posts/posts.ts', 'src/egress/egress.ts')).toBe(true);
  });
});

describe('words that belong to one place', () => {
  test('the rule notices the name of an event in code and in SQL', () => {
    const names = quoted(eventNames());
    expect(names.test(`select 'post.published', id`)).toBe(true);
    expect(names.test('entry("publish_failed")')).toBe(true);
    expect(names.test(`status = 'scheduled'`)).toBe(false);
  });

  test.each(words)('%s', (_rule, word, where) => {
    expect(files.filter((file) => !where.test(file) && word.test(withoutComments(file)))).toEqual([]);
  });
});

/** `scheduled` and `processing` are also statuses of posts, so they cannot be told from those. */
function eventNames(): string[] {
  const statuses = ['scheduled', 'processing'];
  return [...webhookEventNames, webhookTest.name, ...postLogEventNames].filter((name) => !statuses.includes(name));
}

function quoted(names: string[]): RegExp {
  return new RegExp(`['"\`](${names.map((name) => name.replaceAll('.', '\\.')).join('|')})['"\`]`);
}

function row(...features: string[]): [RegExp, RegExp[]][] {
  return features.map((feature, index) => [
    new RegExp(`^src/${feature}/`),
    [
      new RegExp(`^src/${feature}/`),
      /^src\/(lib|db|periodic|http|events)\//,
      /^src\/errors\.ts$/,
      /^src\/platforms\/(kit\/)?[\w-]+\.ts$/,
      ...(outgoing.has(feature) ? [/^src\/egress\//] : []),
      ...useCases(...features.slice(0, index)),
    ],
  ]);
}

/** What others see of a feature: its use-cases and its shapes, never its SQL or its routes. */
function useCases(...features: string[]): RegExp[] {
  return features.map((feature) => new RegExp(`^src/${feature}/(?!([\\w-]+-)?(queries|routes|tasks)\\.ts$)`));
}

function layerOf(file: string) {
  for (const [layer, targets] of layers) {
    const match = layer.exec(file);
    if (match) return targets.map((target) => new RegExp(target.source.replace('$1', match[1] ?? '')));
  }
  return null;
}

function mayImport(file: string, target: string): boolean {
  return layerOf(file)?.some((allowed) => allowed.test(target)) ?? false;
}

/** `type App` is the one upward import, and it is a type: it does not count. */
function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8').replace(/import type \{[^}]*\} from '[^']*\/app\.ts';/g, '');
  const specifiers = [...source.matchAll(/(?:from|import)\s*\(?'(\.{1,2}\/[^']+)'/g)].map(
    ([, specifier]) => specifier!,
  );
  return specifiers.map((specifier) => relative(root, join(root, dirname(file), specifier)));
}

function withoutComments(file: string): string {
  return readFileSync(join(root, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '');
}
