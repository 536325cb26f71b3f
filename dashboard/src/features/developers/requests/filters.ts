import type { ListRequestsInput } from '@crier/client';

export const statuses = [
  { value: 'errors', label: 'All errors', ask: { errors: 'true' } },
  { value: '2xx', label: '2xx success', ask: { status: '2xx' } },
  { value: '4xx', label: '4xx client error', ask: { status: '4xx' } },
  { value: '5xx', label: '5xx server error', ask: { status: '5xx' } },
] as const satisfies readonly { value: string; label: string; ask: ListRequestsInput }[];

export type StatusFilter = (typeof statuses)[number]['value'];

/** The page's search parameters. */
export interface RequestFilters {
  status?: StatusFilter;
  /** A key's prefix. */
  key?: string;
  path?: string;
  q?: string;
  /** The call in the panel. */
  call?: string;
}

/** Each choice is a step of the history, so that Back undoes it. Letters of a search replace the address. */
export type OnFilter = (filters: RequestFilters, replace?: boolean) => void;

export function readFilters(search: Record<string, unknown>): RequestFilters {
  const status = statuses.find(({ value }) => value === search.status)?.value;
  const [key, path, q, call] = [search.key, search.path, search.q, search.call].map(textOf);
  return {
    ...(status && { status }),
    ...(key && { key }),
    ...(path && { path }),
    ...(q && { q }),
    ...(call && { call }),
  };
}

/** The router reads figures in the address as a number. */
const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

export function listInputOf({ status, key, path, q }: RequestFilters): ListRequestsInput {
  const ask = statuses.find(({ value }) => value === status)?.ask;
  return { ...ask, ...(key && { key }), ...(path && { path }), ...(q && { q }) };
}

export const isFiltered = ({ status, key, path, q }: RequestFilters) => Boolean(status || key || path || q);
