import { expect, test } from 'vitest';
import { tagsOf } from './tags.ts';

test('tags are trimmed, and empty ones are left out', () => {
  expect(tagsOf([' cats ', '', '  ', 'dogs'])).toEqual(['cats', 'dogs']);
});

test('a string has its tags between commas', () => {
  expect(tagsOf('cats, two dogs,,birds,')).toEqual(['cats', 'two dogs', 'birds']);
});

test('all tags together have 500 characters, with a comma between two of them', () => {
  expect(tagsOf(['a'.repeat(250), 'b'.repeat(249)])).toHaveLength(2);
  expect(tagsOf(['a'.repeat(250), 'b'.repeat(250)])).toEqual(['a'.repeat(250)]);
});

test('a tag with a blank counts two more for its quotes', () => {
  expect(tagsOf([`a ${'b'.repeat(496)}`])).toHaveLength(1);
  expect(tagsOf([`a ${'b'.repeat(497)}`])).toEqual([]);
});

test('the list ends before the first tag that does not fit', () => {
  expect(tagsOf(['first', 'x'.repeat(500), 'last'])).toEqual(['first']);
});
