import { expect, test } from 'vitest';
import { mutantsOf, mutated } from './mutants.ts';

const variants = (source: string) => mutantsOf(source).map((mutant) => mutated(source, mutant));

test('comparisons, negations, booleans and defaults are flipped one at a time', () => {
  expect(variants('if (a < 1 && !b) c(d ?? true);')).toEqual([
    'if (a < 1 || !b) c(d ?? true);',
    'if (a >= 1 && !b) c(d ?? true);',
    'if (a < 1 && b) c(d ?? true);',
    'if (a < 1 && !b) c(d && true);',
    'if (a < 1 && !b) c(d ?? false);',
  ]);
});

test('types and imports are left alone', () => {
  expect(variants(`import a from 'a';\ntype B = true | false;\nlet c: Array<true>;`)).toEqual([]);
});
