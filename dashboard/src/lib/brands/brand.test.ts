import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { keys } from '../query-keys.ts';
import {
  actingForBrand,
  asOwners,
  brandOfPage,
  brandSignal,
  brandsInput,
  isOfOne,
  newPostHref,
  postHref,
  readBrandSearch,
  rememberOwners,
  searchOf,
  showBrand,
} from './brand.ts';

const [bakery, garage] = ['a'.repeat(24), 'b'.repeat(24)];
const client = new QueryClient();
afterEach(() => showBrand(client, null));

const sent = (init?: RequestInit) => new Headers(actingForBrand()(init).headers).get('x-service-user-id');

test('a brand is in the address as an id or "all", and nothing else is', () => {
  expect(readBrandSearch({ brand: bakery })).toEqual({ brand: bakery });
  expect(readBrandSearch({ brand: 'all' })).toEqual({ brand: 'all' });
  for (const brand of ['', 'Bakery', `${bakery}0`, 7, null, undefined]) expect(readBrandSearch({ brand })).toEqual({});
});

test('pages of the account never act for a brand', () => {
  expect(brandOfPage('/calendar', { brand: bakery })).toBe(bakery);
  for (const page of ['/settings/profile', '/developers/keys', '/workspace'])
    expect(brandOfPage(page, { brand: bakery })).toBeNull();
});

test('calls act for the brand of the page, unless they name another user', () => {
  expect(sent()).toBeNull();
  showBrand(client, bakery);
  expect(sent()).toBe(bakery);
  expect(sent({ headers: { 'x-service-user-id': garage } })).toBe(garage);
  showBrand(client, 'all');
  expect(sent()).toBeNull();
  expect(brandsInput()).toEqual({ brands: 'all' });
});

test('a call that is repeated acts for the brand that it began with', async () => {
  const seen: (string | null)[] = [];
  vi.stubGlobal('window', { location: { origin: 'http://crier.test' }, addEventListener() {} });
  vi.stubGlobal('fetch', async (_: unknown, init: RequestInit) => {
    seen.push(new Headers(init.headers).get('x-service-user-id'));
    const isFirst = seen.length === 1;
    if (isFirst) showBrand(client, garage);
    const headers = { 'content-type': 'application/json', 'retry-after': '0' };
    return new Response('{"success":true}', { status: isFirst ? 503 : 200, headers });
  });
  showBrand(client, bakery);
  const { crier } = await import('../api.ts');
  await crier.setPostingSlots({ timeZone: 'UTC', slots: [] });
  vi.unstubAllGlobals();
  expect(seen).toEqual([bakery, bakery]);
});

test('what can only be undone for a brand ends when another one is shown', () => {
  showBrand(client, bakery);
  const signal = brandSignal();
  showBrand(client, bakery);
  expect(signal.aborted).toBe(false);
  showBrand(client, garage);
  expect([signal.aborted, brandSignal().aborted]).toEqual([true, false]);
});

test('nothing that was read for another brand is shown', () => {
  client.setQueryData([...keys.posts, 'list'], ['a post of the owner']);
  client.setQueryData(keys.session, { name: 'Ann' });
  showBrand(client, bakery);
  expect(client.getQueryData([...keys.posts, 'list'])).toBeUndefined();
  expect(client.getQueryData(keys.session)).toEqual({ name: 'Ann' });
});

test('a call about posts of several brands is made once for each', async () => {
  showBrand(client, 'all');
  rememberOwners([
    { postGroupId: '1', userId: bakery },
    { postGroupId: '2', userId: garage },
    { postGroupId: '3', userId: bakery },
  ]);
  const calls: unknown[] = [];
  const { results } = await asOwners(['1', '2', '3', '4'], async (ids, { userId }) => {
    calls.push([userId, ids]);
    return { results: ids };
  });
  expect(calls).toEqual([
    [bakery, ['1', '3']],
    [garage, ['2']],
    [undefined, ['4']],
  ]);
  expect(results).toEqual(['1', '3', '2', '4']);
});

test('with all brands, each thing leads to its brand, and one’s own to no brand', () => {
  const time = { date: '2027-03-04', time: '09:00' };
  showBrand(client, 'all');
  expect(searchOf({ id: bakery })).toEqual({ brand: bakery });
  expect(searchOf(null)).toEqual({ brand: undefined });
  expect(postHref('1', { id: bakery })).toBe(`/posts/1?brand=${bakery}`);
  expect(postHref('1', null)).toBe('/posts/1');
  expect(newPostHref(time)).toBe('/compose?date=2027-03-04&time=09%3A00&brand=all');
  expect(newPostHref(time, { id: null })).toBe('/compose?date=2027-03-04&time=09%3A00');
  showBrand(client, bakery);
  expect(searchOf(null)).toEqual({});
  expect(postHref('1', null)).toBe(`/posts/1?brand=${bakery}`);
});

test.for([
  [`/posts/${bakery}`, {}, true],
  [`/compose/${bakery}`, {}, true],
  ['/compose', { draft: bakery }, true],
  ['/compose', { date: '2027-03-04' }, false],
  ['/posts', {}, false],
  ['/posts/import', {}, false],
  ['/calendar', {}, false],
] as const)('%s with %j is about one post or draft: %s', ([path, search, isOne]) => {
  expect(isOfOne(path, search)).toBe(isOne);
});
