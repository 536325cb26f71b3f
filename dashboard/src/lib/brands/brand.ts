import type { QueryClient } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { keys } from '../query-keys.ts';

/** In the address: the id of a managed user, or `all` for all brands and the person's own account. */
export const allBrands = 'all';

/** Absent on pages of the person's own account. */
export interface BrandSearch {
  brand?: string | undefined;
}

export const readBrandSearch = ({ brand }: Record<string, unknown>): BrandSearch =>
  typeof brand === 'string' && /^([0-9a-f]{24}|all)$/.test(brand) ? { brand } : {};

/** The pages that show the posts, channels and files of one brand or of all. */
const brandPages = ['/calendar', '/queue', '/posts', '/compose', '/channels', '/media', '/insights'];

/** Pages of one post or draft. With "All brands", it can only be one's own: those of brands have their brand in the address. */
export const isOfOne = (pathname: string, search: object): boolean =>
  /^\/(posts|compose)\/[0-9a-f]{24}\/?$/i.test(pathname) || (pathname.startsWith('/compose') && 'draft' in search);

export const brandOfPage = (pathname: string, { brand }: BrandSearch): string | null =>
  brand !== undefined && brandPages.some((page) => pathname.startsWith(page)) ? brand : null;

/** The brand of the current page. Every call acts for it, because each page shows one brand at a time. */
let current: string | null = null;

/** What belongs to the person and not to a brand. */
const ofPerson: readonly (readonly unknown[])[] = [
  keys.session,
  keys.dashboardSettings,
  keys.workspace,
  keys.profile,
  keys.limits,
  keys.twoFactor,
  keys.passkeys,
  keys.sessions,
  keys.auditLog,
  keys.attention,
];

let shown = new AbortController();

/** Aborted when the page shows another brand: uploads for this one stop, and what was done for it can't be undone anymore. */
export const brandSignal = (): AbortSignal => shown.signal;

/** Forgets what was read for the previous brand. */
export function showBrand(client: QueryClient, brand: string | null) {
  if (brand === current) return;
  shown.abort();
  shown = new AbortController();
  current = brand;
  client.removeQueries({ predicate: ({ queryKey }) => !ofPerson.some(([name]) => name === queryKey[0]) });
}

export const useBrand = (): string | null => useRouteContext({ from: '/_app' }).brand;

/** Whose things a list shows. Without a user: those of the page's brand. */
export interface Scope {
  brands?: 'all';
  userId?: string | undefined;
}

/** For lists that can show all brands together. */
export const brandsInput = (): { brands?: 'all' } => (current === allBrands ? { brands: allBrands } : {});

/** The managed user of the current page. Undefined: the person, or all brands. */
export const brandNow = (): string | undefined => (current === null || current === allBrands ? undefined : current);

/**
 * Adds the brand of now to the requests of a call that name no other user. A retry keeps it, also if the page shows
 * another brand by then.
 */
export function actingForBrand(): (init?: RequestInit) => RequestInit {
  const brand = brandNow();
  return (init = {}) => {
    if (brand === undefined) return init;
    const headers = new Headers(init.headers);
    if (!headers.has(actAs)) headers.set(actAs, brand);
    return { ...init, headers };
  };
}
const actAs = 'x-service-user-id';

interface Owned {
  userId?: string | undefined;
}

/** Options of a call about a channel or post of a list of all brands. */
export const asOwnerOf = ({ userId }: Owned) => ({ userId });

/** Whose the posts are that were listed together. They never change hands. */
const ownerOfPost = new Map<string, string>();

export function rememberOwners(posts: readonly (Owned & { postGroupId: string })[]) {
  for (const { postGroupId, userId } of posts) if (userId) ownerOfPost.set(postGroupId, userId);
}

export const asOwnerOfPost = (postGroupId: string) => asOwnerOf({ userId: ownerOfPost.get(postGroupId) });

/** Whose the post is, for a call that may be made when the page shows another brand. Undefined: the person's. */
export const ownerNow = (postGroupId: string): string | undefined => ownerOfPost.get(postGroupId) ?? brandNow();

/** Splits a call about several posts into one for each brand. */
export async function asOwners<T>(
  postGroupIds: readonly string[],
  call: (ids: string[], options: { userId: string | undefined }) => Promise<{ results: T[] }>,
): Promise<{ results: T[] }> {
  const results: T[] = [];
  for (const [userId, ids] of Map.groupBy(postGroupIds, (id) => ownerOfPost.get(id)))
    results.push(...(await call(ids, { userId })).results);
  return { results };
}

interface Owner {
  /** Null for the person's own account. */
  id: string | null;
}

/** The search of a link from a list of the page. In one of all brands, it leads to the brand of the thing. */
export const searchOf = (brand: Owner | null): BrandSearch => {
  if (brand) return { brand: brand.id ?? undefined };
  return current === allBrands ? { brand: undefined } : {};
};

/** For links that are not the router's. */
export const postHref = (postGroupId: string, brand: Owner | null) =>
  hrefIn(brand ? brand.id : current === allBrands ? null : current, `/posts/${postGroupId}`);

/** The composer for a draft that isn't a post yet. With all brands, these are the person's own. */
export const draftHref = (draft: string) => hrefIn(current === allBrands ? null : current, '/compose', { draft });

/** The composer for a new post, of the page's brand or of another. */
export const newPostHref = (search: { date: string; time: string; channel?: string }, brand: Owner | null = null) =>
  hrefIn(brand ? brand.id : current, '/compose', search);

function hrefIn(brand: string | null, path: string, search: Record<string, string> = {}): string {
  const query = new URLSearchParams({ ...search, ...(brand !== null && { brand }) });
  return query.size === 0 ? path : `${path}?${query}`;
}
