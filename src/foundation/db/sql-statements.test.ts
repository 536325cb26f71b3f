import { expect, test } from 'vitest';
import { sqlStatements, withoutComments } from './sql-statements.ts';

test.for<[what: string, text: string, statements: string[]]>([
  ['two statements', 'select 1;\nselect 2;\n', ['select 1', 'select 2']],
  ['one without a semicolon at the end', 'select 1', ['select 1']],
  ['a comment that belongs to the statement below it', '-- batch\nselect 1;', ['-- batch\nselect 1']],
  ['a comment alone', '-- Nothing to do; really.\n', []],
  ['a semicolon in a text', `select 'a;''b';select 2`, [`select 'a;''b'`, 'select 2']],
  ['a semicolon in a name', 'select 1 as "a;b"', ['select 1 as "a;b"']],
  ['a semicolon in comments', 'select 1 /* a;b */ -- c;d', ['select 1 /* a;b */ -- c;d']],
  ['a body in dollars', 'do $$ begin; end $$; select 2', ['do $$ begin; end $$', 'select 2']],
  ['a body in tagged dollars', 'do $a$ $$;$$ $a$; select $1', ['do $a$ $$;$$ $a$', 'select $1']],
  ['a minus and a slash', 'select 3 - 2 / 1; select 1', ['select 3 - 2 / 1', 'select 1']],
])('finds %s', ([, text, statements]) => {
  expect(sqlStatements(text)).toEqual(statements);
});

test('a statement without comments is one line', () => {
  expect(withoutComments(`-- why\nselect 1, -- one\n  '-- kept' /* two */`)).toBe(`select 1, '-- kept'`);
});
