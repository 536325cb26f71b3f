import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { postLogEventNames, webhookEventNames, webhookTest } from '../src/events/catalogue.ts';
import { connectables } from '../src/platforms/index.ts';

/** The features that may send requests to addresses that users give. */
const outgoing = new Set(['connections', 'media', 'posts', 'attachments', 'publishing', 'interactions', 'webhooks']);

/** The first line whose pattern fits a file lists what the file may import. */
const layers: [layer: RegExp, mayImport: RegExp[]][] = [
  [/^src\/lib\//, [/^src\/lib\//]],
  [/^src\/platforms\/kit\//, [/^src\/lib\//, /^src\/platforms\/kit\//]],
  [/^src\/platforms\/[\w-]+\.ts$/, [/^src\/lib\//, /^src\/errors\.ts$/, /^src\/platforms\//]],
  // What the adapters of Meta's platforms share.
  [/^src\/platforms\/graph\//, [/^src\/lib\//, /^src\/platforms\/kit\/index\.ts$/, /^src\/platforms\/graph\//]],
  // An adapter knows the kit, itself and what its family shares, but no other adapter.
  [
    /^src\/platforms\/(\w+)\//,
    [/^src\/lib\//, /^src\/platforms\/kit\/index\.ts$/, /^src\/platforms\/graph\//, /^src\/platforms\/$1\//],
  ],
  [/^src\/tracing\//, [/^src\/(lib|tracing)\//]],
  [/^src\/egress\//, [/^src\/(lib|egress)\//]],
  [/^src\/events\//, [/^src\/(lib|events)\//]],
  [/^src\/db\//, [/^src\/lib\//, /^src\/db\//]],
  [/^src\/periodic\//, [/^src\/lib\//, /^src\/db\//, /^src\/periodic\//]],
  // The OpenAPI document shows the events and the version of the package.
  [/^src\/http\//, [/^src\/(lib|db|periodic|http|events|tracing)\//, /^src\/errors\.ts$/, /^package\.json$/]],
  [/^src\/errors\.ts$/, [/^src\/errors\//]],
  [/^src\/errors\//, [/^src\/(errors|lib)\//]],
  [/^src\/config(-\w+)?\.ts$/, [/^src\/lib\//, /^src\/platforms\/index\.ts$/, /^src\/config-\w+\.ts$/]],
  // Features stand in a row: each may use the use-cases and shapes of those to its left.
  ...row(
    'audit',
    'mail',
    'accounts',
    'drafts',
    'connections',
    'media',
    'slots',
    'posts',
    'attachments',
    'publishing',
    'insights',
    'interactions',
    'webhooks',
    'stream',
  ),
  // MCP is a surface over the routes, which it calls by their operation ids. Only OAuth needs use-cases of its own.
  [/^src\/mcp\//, [/^src\/(lib|db|periodic|http|mcp)\//, /^src\/errors\.ts$/, ...useCases('audit', 'accounts')]],
  // /readyz warns of versions that networks retire.
  [
    /^src\/health\//,
    [/^src\/(lib|db|periodic|http|health)\//, /^src\/errors\.ts$/, /^src\/platforms\/kit\/api-versions\.ts$/],
  ],
  [/^src\/app\.ts$/, [/^src\/(config|app)\.ts$/, /^src\/(lib|db|egress|tracing|periodic|platforms|media\/storage)\//]],
  // The OpenAPI document lists the platforms.
  [
    /^src\/server\.ts$/,
    [/^src\/http\//, /^src\/events\/catalogue\.ts$/, /^src\/platforms\/index\.ts$/, /[/-]routes\.ts$/],
  ],
  [/^src\/worker\.ts$/, [/\/tasks\.ts$/, /^src\/periodic\//]],
  [
    /^src\/(main|start)\.ts$/,
    [
      /^src\/(start|config|app|server|worker)\.ts$/,
      /^src\/(lib|db|periodic|startup|health|tracing)\//,
      /^src\/http\/version\.ts$/,
    ],
  ],
  // To compare, a proof is made in a Crier of its own, which serves media.
  [
    /^src\/admin\/prove\/in-sandbox\.ts$/,
    [
      /^src\/(admin|app|platforms|http\/(auth|fastify))\b/,
      /^src\/media\/serve-routes\.ts$/,
      ...useCases('accounts', 'connections'),
    ],
  ],
  // A proof publishes as a worker does, and reads statistics.
  [
    /^src\/admin\/prove\//,
    [
      /^src\/(admin|lib|app|platforms|http\/(auth|version))\b/,
      ...useCases('connections', 'media', 'posts', 'attachments', 'publishing', 'insights'),
    ],
  ],
  [
    /^src\/(startup|admin)\//,
    [
      /^src\/(startup|admin|lib|db|config|app|errors|platforms|health|http\/(auth|scopes|version))\b/,
      ...useCases('audit', 'mail', 'accounts', 'connections', 'media', 'posts', 'publishing'),
    ],
  ],
  // The sandbox is written from the vendors' documentation alone, so that adapters and sandbox check each other.
  [/^sandbox\//, [/^sandbox\//]],
];

/** Expressions that may stand in one place only. */
const words: [rule: string, word: RegExp, where: RegExp][] = [
  [
    'the environment is read once, in config.ts, but for the words of texts',
    /\bprocess\.env\b/,
    /^(src\/config\.ts|src\/lib\/admin-command-line\.ts|sandbox\/main\.ts)$/,
  ],
  ['time comes from app.clock', /\bnew Date\(\)|\bDate\.now\(\)/, /^(src\/lib\/clock\.ts|sandbox\/.*)$/],
  [
    'requests to platforms go through ctx.fetch',
    /(?<![.\w]|async )fetch\(|\bglobalThis\.fetch\b/,
    /^(src\/app\.ts|src\/startup\/.*|sandbox\/.*)$/,
  ],
  ['sockets to addresses that users give are opened by the egress guard', /\bundici\b/, /^src\/egress\/.*$/],
  ['random values come from node:crypto', /\bMath\.random\(\)/, /^$/],
  ['events are named in the catalogue', quoted(eventNames()), /^src\/events\/catalogue\.ts$|\/examples\.ts$/],
];

/** Where a platform may be named besides `src/platforms/`. */
const namesPlatforms: [where: RegExp, reason: string][] = [
  [/^src\/(insights|interactions)\/linkedin\//, 'the contract has routes for LinkedIn alone'],
  [/^src\/server\.ts$/, 'it adds those routes'],
  [/^src\/mcp\/tools\//, 'the contract has tools for LinkedIn alone'],
  [/^src\/errors(\.ts$|\/)/, 'they hold the errors of those routes'],
  [/^src\/events\/catalogue\.ts$/, 'the contract has log events for LinkedIn alone'],
  [/^src\/attachments\/upload-routes\.ts$/, 'the contract names two upload routes after their platform'],
  [/^src\/http\/openapi\/problems\.ts$/, 'it names the answers that the LinkedIn routes share'],
  [/\/examples\.ts$/, 'examples of the API reference have real ids'],
  [/^src\/lib\/plans\.ts$/, 'a plan can leave out a platform'],
  [/^src\/db\/schema\.gen\.ts$/, 'it is generated from the database'],
];

const root = new URL('..', import.meta.url).pathname;
const files = ['src', 'sandbox'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')),
);

const platformFolders = files
  .flatMap((file) => /^src\/platforms\/(?!kit\/)(\w+)\/description\.ts$/.exec(file)?.[1] ?? [])
  .sort();

describe('who may import whom', () => {
  test('every file belongs to a layer', () => {
    expect(files.filter((file) => !layerOf(file))).toEqual([]);
  });

  test('every import is allowed for its layer', () => {
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

describe('expressions that may stand in one place only', () => {
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

describe('platforms are named only in src/platforms/', () => {
  test('no other file has a platform in its name or its code', () => {
    const others = files.filter((file) => /^src\/(?!platforms\/)/.test(file));
    const found = others.filter((file) => !namesPlatforms.some(([where]) => where.test(file)));
    expect(found.filter((file) => namesPlatform(file, withoutComments(file)))).toEqual([]);
  });

  test('every exception is needed', () => {
    const unused = namesPlatforms.filter(
      ([where]) => !files.some((file) => where.test(file) && namesPlatform(file, withoutComments(file))),
    );
    expect(unused).toEqual([]);
  });

  test.each([
    ['src/posts/media-rules.ts', `if (platform !== 'instagram') return 'feed';`],
    ['src/attachments/attach-media.ts', `platformIds.filter((id) => id.startsWith('youtube-'))`],
    ['src/media/queries.ts', `sql\`platform_settings #>> '{instagram,coverUrl}'\``],
    ['src/media/queries.ts', `type Purpose = 'post' | 'youtube_thumbnail';`],
    ['src/posts/update-post.ts', 'const { youtube, instagram } = platformSettings;'],
    ['src/attachments/thumbnails.ts', 'export const youtubeThumbnail = {};'],
    ['src/posts/platforms.ts', `const commentable = ['threads'];`],
    ['src/posts/linkedin-mentions.ts', 'export {};'],
  ])('the rule notices %s: %s', (file, code) => {
    expect(namesPlatform(file, code)).toBe(true);
  });

  test('the rule lets plain words pass', () => {
    const code = `import { Worker } from 'node:worker_threads';\nconst { threads } = limits;`;
    expect(namesPlatform('src/posts/thread-permission.ts', code)).toBe(false);
  });
});

describe('every platform is a folder with the same file names', () => {
  test('every folder is registered', () => {
    expect(platformFolders).toEqual(Object.keys(connectables).sort());
  });

  test.each(Object.values(connectables))('$id', ({ id, settings, ...platform }) => {
    const names = ['index.ts', 'description.ts', 'limits.ts', 'api.ts', 'failure.ts', 'connect.ts'];
    if ('publish' in platform) names.push('publish.ts');
    if (Object.keys(settings.shape).length > 0) names.push('settings.ts');
    expect(readdirSync(join(root, 'src/platforms', id))).toEqual(expect.arrayContaining(names));
  });
});

function row(...features: string[]): [RegExp, RegExp[]][] {
  return features.map((feature, index) => [
    new RegExp(`^src/${feature}/`),
    [
      new RegExp(`^src/${feature}/`),
      /^src\/(lib|db|periodic|http|events|tracing)\//,
      /^src\/errors\.ts$/,
      /^src\/platforms\/(kit\/)?[\w-]+\.ts$/,
      ...(outgoing.has(feature) ? [/^src\/egress\//] : []),
      ...useCases(...features.slice(0, index)),
    ],
  ]);
}

/** Other features may import the use-cases and shapes of a feature, but not its SQL, routes or tasks. */
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

/** `type App` does not count: it is the one upward import, and only a type. */
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

/** As a string that is or begins with its id, as an identifier or part of one, or as part of the file's name. */
function namesPlatform(file: string, code: string): boolean {
  const ids = platformFolders.join('|');
  // `threads` is a word that any code may use as a name.
  const names = platformFolders.filter((id) => id !== 'threads');
  const capitals = names.map((id) => id[0]!.toUpperCase() + id.slice(1));
  const asString = new RegExp(`(['\`])\\{?(${ids})(?=\\1|[-_.,/])`);
  const asIdentifier = new RegExp(
    `(?<![A-Za-z])(${names.join('|')})(?![a-z])|(?<=[a-z])(${capitals.join('|')})(?![a-z])`,
  );
  const withoutStrings = code.replace(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '');
  return asString.test(code) || asIdentifier.test(withoutStrings) || asIdentifier.test(file.split('/').at(-1)!);
}
