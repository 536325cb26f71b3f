import { expect, test } from 'vitest';
import { planningPageOf, rememberPage } from './planning-page.ts';

const go = (href: string, brand: string | null = null) => rememberPage({ pathname: href.split('?')[0]!, href }, brand);

test('a post is planned on the page before the composer', () => {
  go('/calendar?view=week');
  go('/compose');
  go('/compose/64b000000000000000000001');
  expect(planningPageOf(null)).toBe('/calendar?view=week');
  go('/posts/64b000000000000000000001');
  expect(planningPageOf(null)).toBeNull();
  go('/queue');
  go('/settings/profile');
  expect(planningPageOf(null)).toBeNull();
});

test('a page of another brand doesn’t show the post, one of all brands does', () => {
  go('/posts?brand=b1', 'b1');
  expect([planningPageOf('b1'), planningPageOf('b2'), planningPageOf(null)]).toEqual(['/posts?brand=b1', null, null]);
  go('/calendar?brand=all', 'all');
  expect([planningPageOf('b2'), planningPageOf(null)]).toEqual(['/calendar?brand=all', '/calendar?brand=all']);
});
