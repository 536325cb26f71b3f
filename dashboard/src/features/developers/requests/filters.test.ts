import { expect, test } from 'vitest';
import { isFiltered, listInputOf, readFilters } from './filters.ts';

test('filters are read from the address, and unknown values are ignored', () => {
  expect(readFilters({ status: '4xx', key: 'sk_a', path: '/list-posts', q: 404, call: 'abc', other: 1 })).toEqual({
    status: '4xx',
    key: 'sk_a',
    path: '/list-posts',
    q: '404',
    call: 'abc',
  });
  expect(readFilters({ status: '9xx', key: ['a'], path: '', q: null })).toEqual({});
});

test('all errors are asked for as errors, a class as a status, and the open call not at all', () => {
  expect(listInputOf({ status: 'errors', q: 'x', call: 'abc' })).toEqual({ errors: 'true', q: 'x' });
  expect(listInputOf({ status: '5xx', key: 'sk_a', path: '/p' })).toEqual({ status: '5xx', key: 'sk_a', path: '/p' });
});

test('an open call is no filter', () => {
  expect([isFiltered({ call: 'abc' }), isFiltered({ q: 'x' })]).toEqual([false, true]);
});
