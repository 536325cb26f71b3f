import { allBrands } from './brands/brand.ts';

/** The pages on which posts are planned. */
const planningPages = ['/calendar', '/queue', '/posts'];

let last: { href: string; brand: string | null } | null = null;

/** Called for each page. The composer belongs to the page before it. */
export function rememberPage({ pathname, href }: { pathname: string; href: string }, brand: string | null) {
  if (pathname.startsWith('/compose')) return;
  last = planningPages.includes(pathname) ? { href, brand } : null;
}

/** Where a post of the brand was planned, if that page shows it. */
export const planningPageOf = (brand: string | null): string | null =>
  last && (last.brand === allBrands || last.brand === brand) ? last.href : null;
