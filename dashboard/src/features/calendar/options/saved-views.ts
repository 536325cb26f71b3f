import { useLocalStorage } from '@mantine/hooks';
import { type BrandSearch, readBrandSearch } from '../../../lib/brands/brand.ts';
import { type CalendarSearch, readSearch } from '../calendar-range.ts';

/** A view with its filters, without a date. */
export interface SavedView {
  name: string;
  search: Omit<CalendarSearch, 'date'> & BrandSearch;
}

export const maxViews = 30;
export const maxNameLength = 40;

/** The views of this account on this device. */
export const useSavedViews = (userId: string) =>
  useLocalStorage<readonly SavedView[]>({
    key: `crier-calendar-views-${userId}`,
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize: readViews,
    serialize: JSON.stringify,
  });

/** A view with the same name is replaced. */
export function withView(views: readonly SavedView[], name: string, search: CalendarSearch & BrandSearch): SavedView[] {
  const { date: _, ...kept } = search;
  const others = views.filter((view) => view.name.toLowerCase() !== name.toLowerCase());
  return [...others, { name, search: kept }].sort((a, b) => a.name.localeCompare(b.name));
}

/** Another version of the dashboard, or a person, may have written something else. */
export function readViews(stored: string | undefined): SavedView[] {
  const views = parse(stored);
  if (!Array.isArray(views)) return [];
  return views.slice(0, maxViews).flatMap((view) => {
    const { name, search } = Object(view);
    if (typeof name !== 'string' || name === '' || name.length > maxNameLength) return [];
    const { date: _, ...kept } = readSearch(Object(search));
    return [{ name, search: { ...kept, ...readBrandSearch(Object(search)) } }];
  });
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
