import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Checks the links between pages in the repository. `npm run docs:build` checks those of the site. */
const root = new URL('..', import.meta.url).pathname;
const pages = globSync(['*.md', 'docs/**/*.md', 'client/*.md', 'cli/*.md', 'sandbox/*.md'], {
  cwd: root,
  // The landing page links to URLs of the site.
  exclude: (name) => name === 'docs/index.md' || name.includes('.vitepress'),
});

const withoutCode = (text: string) =>
  text.replace(/^( *)```[\s\S]*?^\1```$/gm, '').replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, '_'));

/** Builds the anchor of a heading as code hosts do. */
const anchorOf = (title: string) =>
  title
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');

function anchorsIn(file: string): Set<string> {
  const text = readFileSync(file, 'utf8').replace(/^( *)```[\s\S]*?^\1```$/gm, '');
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => anchorOf(title));
  const given = [...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id);
  return new Set([...headings, ...given]);
}

function brokenIn(page: string, text: string): string[] {
  const inMarkdown = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)];
  const inHtml = [...text.matchAll(/(?:src|srcset)="([^"]+)"/g)];
  return [...inMarkdown, ...inHtml]
    .map(([, href = '']) => href)
    .filter((href) => !/^[a-z]+:/.test(href))
    .filter((href) => {
      const [path = '', anchor] = href.split('#');
      const target = path === '' ? join(root, page) : join(root, dirname(page), path);
      if (!existsSync(target)) return true;
      return anchor !== undefined && statSync(target).isFile() && !anchorsIn(target).has(anchor);
    });
}

test.each(pages.sort())('%s has no dead links', (page) => {
  expect(brokenIn(page, readFileSync(join(root, page), 'utf8'))).toEqual([]);
});

test.each(['npm ci && npm start', 'npm ci && npm test'])('README.md shows `%s` as one line', (command) => {
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(command);
});

test('README.md has fewer than 700 words', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8').split(/\s+/).length).toBeLessThan(700);
});

test('the pictures are small: 150 kB each, 600 kB for the animation', () => {
  const large = globSync('docs/pictures/*', { cwd: root }).filter((file) => {
    const limit = file.endsWith('compose.webp') ? 600_000 : 150_000;
    return statSync(join(root, file)).size > limit;
  });
  expect(large).toEqual([]);
});

test('docs/admin.md has every admin command, and no other', () => {
  const sources = globSync('src/surfaces/admin/**/*.ts', { cwd: root, exclude: (name) => name.endsWith('.test.ts') });
  const named = sources.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/adminCommand\('([a-z-]+)'/g)].map(([, name]) => name),
  );
  const page = readFileSync(join(root, 'docs/admin.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const onPage = rows.flatMap((row) =>
    [...(row.split(' | ')[0] ?? '').matchAll(/`([a-z-]+)/g)].map(([, name]) => name),
  );
  expect(named).not.toEqual([]);
  expect([...onPage].sort()).toEqual([...named].sort());
});

test('the rule notices a missing page, a missing anchor and a missing picture', () => {
  const text = '[a](docs/none.md) [b](README.md#none) [c](README.md#try-it) <img src="none.webp">';
  expect(brokenIn('README.md', text)).toEqual(['docs/none.md', 'README.md#none', 'none.webp']);
});
