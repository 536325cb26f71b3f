import { expect, test } from 'vitest';
import { readViews, withView } from './saved-views.ts';

test('a view keeps its filters and brand, but no date, and replaces one of the same name', () => {
  const search = {
    view: 'week',
    date: '2027-03-01',
    channel: 'mastodon-1,x-2',
    label: 'Spring',
    brand: 'all',
  } as const;
  const { date: _, ...kept } = search;
  const first = withView([], 'Week', search);
  expect(first).toEqual([{ name: 'Week', search: kept }]);
  expect(readViews(JSON.stringify(first))).toEqual(first);
  const both = withView(first, 'All', { view: 'list' });
  expect(both.map(({ name }) => name)).toEqual(['All', 'Week']);
  expect(withView(both, 'week', { status: 'failed' })).toEqual([
    both[0],
    { name: 'week', search: { status: 'failed' } },
  ]);
});

test.each([undefined, '', '{', '{}', '[null, 1, {"name":""}, {"search":{}}]'])('%j is read as no views', (stored) => {
  expect(readViews(stored)).toEqual([]);
});

test('what a view can’t have is left out', () => {
  const stored = [
    { name: 'Odd', search: { view: 'year', status: 'failed', brand: 'x', channel: 1, date: '2027-03-01' } },
  ];
  expect(readViews(JSON.stringify(stored))).toEqual([{ name: 'Odd', search: { status: 'failed' } }]);
});
