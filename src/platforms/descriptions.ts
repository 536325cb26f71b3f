import { connectables, type PlatformName } from './index.ts';
import type { Description } from './kit/index.ts';

/** Every known platform, in the order the API lists them. */
export const descriptions: readonly Description[] = Object.values(connectables);

const byId = new Map(descriptions.map((description) => [description.id, description]));

export function descriptionOf(id: PlatformName): Description;
export function descriptionOf(id: string): Description | null;
export function descriptionOf(id: string): Description | null {
  return byId.get(id) ?? null;
}

/** The display name. */
export function shownNameOf(id: string): string {
  const { name = id, shownName = name } = descriptionOf(id) ?? {};
  return shownName;
}
