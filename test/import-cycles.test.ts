import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('..', import.meta.url).pathname;
const folders = ['src', 'sandbox', 'client', 'cli', 'dashboard', 'bench', 'scripts', 'test'];
const notOurs = /(^|\/)(node_modules|dist)(\/|$)/;

test('no files import each other in a circle, neither values nor types', () => {
  const files = globSync(`{${folders.join()}}/**/*.{ts,tsx,js}`, { cwd: root, exclude: (path) => notOurs.test(path) });
  expect(files.length).toBeGreaterThan(2_000);
  expect(cyclesIn((file) => readFileSync(join(root, file), 'utf8'), files)).toEqual([]);
});

test.each([
  ['a type', "import type { B } from './b.ts';"],
  ['a value', "import {\n  b,\n} from './b.ts';"],
  ['everything', "export * from './b.ts';"],
  ['an import on demand', "const load = () => import('./b.ts');"],
])('the rule notices a circle of three files that is closed by %s', (_what, code) => {
  const sources: Record<string, string> = {
    'src/a.ts': code,
    'src/b.ts': "import { c } from './deeper/c.ts';",
    'src/deeper/c.ts': "import type { A } from '../a.ts';",
    'src/main.ts': "import { a } from './a.ts';",
  };
  expect(cyclesIn((file) => sources[file]!, Object.keys(sources))).toEqual(['src/a.ts, src/b.ts, src/deeper/c.ts']);
});

/** The groups of files that import each other (Tarjan's strongly connected components), each as one line. */
function cyclesIn(read: (file: string) => string, files: readonly string[]): string[] {
  const known = new Set(files);
  const found: string[] = [];
  const places = new Map<string, number>();
  const path: string[] = [];

  /** Returns the position of the first file on the path that this file reaches. */
  const visit = (file: string): number => {
    const place = places.size;
    places.set(file, place);
    path.push(file);
    let lowest = place;
    for (const target of importsOf(file, read(file), known)) {
      if (target === file) found.push(file);
      if (!places.has(target)) lowest = Math.min(lowest, visit(target));
      else if (path.includes(target)) lowest = Math.min(lowest, places.get(target)!);
    }
    if (lowest === place) {
      const group = path.splice(path.indexOf(file));
      if (group.length > 1) found.push(group.sort().join(', '));
    }
    return lowest;
  };

  for (const file of files) if (!places.has(file)) visit(file);
  return found.sort();
}

function importsOf(file: string, source: string, known: ReadonlySet<string>): string[] {
  const specifiers = [...source.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier]) => specifier!);
  return specifiers.flatMap((specifier) => {
    const path = specifier === '@crier/client' ? 'client/src/index.ts' : join(dirname(file), specifier);
    // The generated list of the dashboard's routes omits the extension.
    return [path, `${path}.tsx`].find((name) => known.has(name)) ?? [];
  });
}
