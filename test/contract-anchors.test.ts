import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** docs/contract.md has an anchor for every rule. Titles cite it in brackets, comments as a link to the page. */

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

const contract = read('docs/contract.md');
const anchors = [...contract.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = '']) => id);
const known = new Set(anchors);

const filesIn = (folder: string, ending: RegExp) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !/(^|\/)(node_modules|dist)\//.test(name))
    .map((name) => `${folder}/${name}`);

interface Line {
  place: string;
  text: string;
}
const linesOf = (file: string): Line[] =>
  read(file)
    .split('\n')
    .map((text, index) => ({ place: `${file}:${index + 1}`, text }));

const code = ['src', 'client', 'cli', 'sandbox', 'dashboard', 'test'].flatMap((folder) =>
  filesIn(folder, /\.(tsx?|m?js)$/),
);
const tests = code.filter((file) => /\.test\.ts$/.test(file));
const pages = filesIn('docs', /\.md$/);

const anchor = '[a-z][a-z0-9-]*(?:\\.[a-z0-9-]*[a-z0-9])?';
/** A link in a comment or a page. A full stop after it ends the sentence. */
const link = new RegExp(`contract\\.md#(${anchor})`, 'g');
/** The start of a title, also after `each` and `for` or in a table. */
const opening = '(?:\\b(?:test|it|describe)(?:\\.\\w+)*\\(|\\)\\()\\s*[\'"`]';
const titleAnchor = new RegExp(`${opening}\\[(${anchor})\\] |\\[\\s*['"\`]\\[([a-z][a-z0-9-]*\\.[a-z0-9-]+)\\] `, 'g');

/** The citations in a text, as "anchor in place". */
function citations(files: readonly string[], pattern: RegExp): { id: string; place: string }[] {
  return files.flatMap((file) => {
    const text = read(file);
    return [...text.matchAll(pattern)].map(({ 1: id, 2: inTable = '', index }) => ({
      id: id ?? inTable,
      place: `${file}:${text.slice(0, index).split('\n').length}`,
    }));
  });
}
const unknown = (cited: readonly { id: string; place: string }[]) =>
  cited.filter(({ id }) => !known.has(id)).map(({ id, place }) => `${place} cites ${id}`);

describe('the anchors of the contract', () => {
  test('are unique', () => {
    expect(anchors.filter((id, index) => anchors.indexOf(id) !== index)).toEqual([]);
    expect(anchors.length).toBeGreaterThan(500);
  });

  test('are a topic with a heading, or a rule of such a topic', () => {
    const topics = [...contract.matchAll(/^## <a id="([^"]+)"><\/a>/gm)].map(([, id = '']) => id);
    const whole = new RegExp(`^${anchor}$`);
    expect(anchors.filter((id) => !whole.test(id) || !topics.includes(id.split('.')[0] ?? ''))).toEqual([]);
  });

  test('mark every rule: each list item, and each row of a table after the table of contents', () => {
    const rules = contract.slice(contract.indexOf('\n## '));
    const rows = rules.split('\n').filter((line) => /^(- |\| )/.test(line));
    const heads = new Set([...rules.matchAll(/^(\| .*)\n\|-/gm)].map(([, head]) => head));
    expect(rows.filter((line) => !heads.has(line) && !line.includes('<a id='))).toEqual([]);
  });
});

describe('a citation of the contract', () => {
  test('on its own page and in other pages leads to an anchor', () => {
    const own = [...contract.matchAll(/\]\(#([^)]+)\)/g)].map(([, id = '']) => ({ id, place: 'docs/contract.md' }));
    expect(unknown([...own, ...citations([...pages, 'CONTRIBUTING.md', 'README.md'], link)])).toEqual([]);
  });

  test('in a comment leads to an anchor', () => {
    const cited = citations(code, link);
    expect(unknown(cited)).toEqual([]);
    expect(cited.length).toBeGreaterThan(50);
  });

  test('in brackets before a title leads to an anchor', () => {
    const cited = citations(tests, titleAnchor);
    expect(unknown(cited)).toEqual([]);
    expect(cited.length).toBeGreaterThan(200);
  });

  test('is never a bare section number', () => {
    const numbered = citations(tests, new RegExp(`${opening}(\\d+\\.\\d+[ :,]|\\d+: |\\d-\\d+\\.\\d)`, 'g'));
    const ending = /['"`].* \(\d\.\d{1,2}(?:, \d\.\d{1,2})*\)['"`]/;
    const inWords =
      /\bcontract(?:,? part \d:?|,? sections?)? \d|\bdecisions,?(?: section)? \d|\bsections? \d|\brule \d/i;
    const others = code
      .flatMap(linesOf)
      .filter(({ text }) => inWords.test(text) || (ending.test(text) && /\b(?:test|it|describe)\b/.test(text)))
      // Standards have sections too.
      .filter(({ text }) => !/\b(?:RFC|ISO)\b/.test(text));
    expect([...numbered.map(({ id, place }) => `${place}: ${id}`), ...others.map(({ place }) => place)]).toEqual([]);
  });
});

test('the contract names operations as the OpenAPI documents do', () => {
  const withoutNames = (path: string) => path.replace(/:\w+|\{\w+\}/g, '{}');
  const documents = ['openapi.json', 'openapi-dashboard.json'].map((file) => JSON.parse(read(file)));
  const described = documents.flatMap(({ paths }) =>
    Object.entries<Record<string, { operationId?: string }>>(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) =>
        [operationId, method.toUpperCase(), withoutNames(path)].join(' '),
      ),
    ),
  );
  const named = [...contract.matchAll(/`(\w+)` (?:·|\|) `([A-Z]+) (\/[^`]+)`/g)].map(([, id, method, path = '']) =>
    [id, method, withoutNames(path)].join(' '),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((operation) => !described.includes(operation))).toEqual([]);
});
