import { expect, test } from 'vitest';
import { calendarHref, channelsIn, isFiltered, readSearch } from './calendar-range.ts';

test('the address has several channels, and labels of any kind', () => {
  expect(readSearch({ channel: 'mastodon-1,bluesky-2', label: 2027, status: 'failed', view: 'year' })).toEqual({
    channel: 'mastodon-1,bluesky-2',
    label: '2027',
    status: 'failed',
  });
  expect(readSearch({ label: '', channel: 1 })).toEqual({});
  expect(channelsIn('mastodon-1,,bluesky-2')).toEqual(['mastodon-1', 'bluesky-2']);
  expect([isFiltered({}), isFiltered({ label: 'Spring' })]).toEqual([false, true]);
});

test('the address of a day keeps the filters as the router reads them', () => {
  expect(calendarHref({ label: '2027', channel: 'x-1' }, 'day', '2027-03-01')).toBe(
    '/calendar?label=%222027%22&channel=x-1&view=day&date=2027-03-01',
  );
});
