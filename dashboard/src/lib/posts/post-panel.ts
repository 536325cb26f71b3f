/** The post in the side panel of a page, as its address names it. */
export interface PanelSearch {
  post?: string;
  /** Whose post it is, if it was opened from a list of all brands. */
  owner?: string;
}

const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{24}$/i.test(value);

export const readPanelSearch = ({ post, owner }: Record<string, unknown>): PanelSearch =>
  isId(post) ? { post, ...(isId(owner) && { owner }) } : {};

/** The search of the page itself, which stays the same object while only the panel opens or closes. */
export const withoutPanel = <Search extends PanelSearch>({ post, owner, ...search }: Search) => search;

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The panel was opened on this page, so that closing it is one step back. */
    isPanel?: boolean;
  }
}
