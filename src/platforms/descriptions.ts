import { connectables, type PlatformName } from './index.ts';
import type { Description } from './kit/index.ts';

/** Every platform that we know, in the order in which the API lists them. */
export const descriptions: readonly Description[] = Object.values(connectables);

const byId = new Map(descriptions.map((description) => [description.id, description]));

export function descriptionOf(id: PlatformName): Description;
export function descriptionOf(id: string): Description | null;
export function descriptionOf(id: string): Description | null {
  return byId.get(id) ?? null;
}

/** What people call it. */
export function shownNameOf(id: string): string {
  const { name = id, shownName = name } = descriptionOf(id) ?? {};
  return shownName;
}
