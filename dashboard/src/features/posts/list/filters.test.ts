import { expect, test } from 'vitest';
import { listInputOf, readFilters, sortedBy, sortingOf } from './filters.ts';

const context = { zone: 'Europe/Berlin', today: '2027-03-04', isAllBrands: false };

test('an address names the filters and the order, and what it cannot mean is left out', () => {
  const search = { status: 'draft', label: 2027, dates: 'last-7-days', sort: 'updated', order: 'asc', q: 'bread' };
  expect(readFilters(search)).toEqual({ ...search, label: '2027' });
  expect(readFilters({ status: 'all', channel: '', dates: 'soon', sort: 'size', order: 'asc' })).toEqual({});
});

test('filters and the order are asked of the service, with days in the time zone of the person', () => {
  expect(
    listInputOf({ status: 'failed', label: 'launch', dates: 'today', sort: 'created', order: 'asc' }, context),
  ).toEqual({
    status: 'failed,partially_published',
    label: 'launch',
    from: '2027-03-03T23:00:00.000Z',
    to: '2027-03-04T22:59:59.999Z',
    sortBy: 'createdAt',
    sortOrder: 'asc',
  });
});

test('all brands together are never sorted by their last change, which the service refuses', () => {
  const drafts = { status: 'draft' } as const;
  expect(sortingOf(drafts, false)).toEqual({ sort: 'updated', order: 'desc' });
  expect(listInputOf(drafts, { ...context, isAllBrands: true })).toEqual({
    status: 'draft',
    sortBy: 'createdAt',
    sortOrder: 'desc',
  });
});

test('a column sorts latest first, then earliest first', () => {
  const [once, twice] = [
    sortedBy('created', { sort: 'time', order: 'desc' }),
    { sort: 'created', order: 'desc' } as const,
  ];
  expect(once).toEqual(twice);
  expect(sortedBy('created', twice)).toEqual({ sort: 'created', order: 'asc' });
});
