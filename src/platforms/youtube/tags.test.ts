import { expect, test } from 'vitest';
import { tagsOf } from './tags.ts';

test('tags are trimmed, and empty ones left out', () => {
  expect(tagsOf([' cats ', '', '  ', 'dogs'])).toEqual(['cats', 'dogs']);
});

test('a text has its tags between commas', () => {
  expect(tagsOf('cats, two dogs,,birds,')).toEqual(['cats', 'two dogs', 'birds']);
});

test('500 characters in all, with a comma between two tags', () => {
  expect(tagsOf(['a'.repeat(250), 'b'.repeat(249)])).toHaveLength(2);
  expect(tagsOf(['a'.repeat(250), 'b'.repeat(250)])).toEqual(['a'.repeat(250)]);
});

test('a tag with a blank in it costs two more, for the quotes', () => {
  expect(tagsOf([`a ${'b'.repeat(496)}`])).toHaveLength(1);
  expect(tagsOf([`a ${'b'.repeat(497)}`])).toEqual([]);
});

test('the list ends before the first tag that does not fit', () => {
  expect(tagsOf(['first', 'x'.repeat(500), 'last'])).toEqual(['first']);
});
