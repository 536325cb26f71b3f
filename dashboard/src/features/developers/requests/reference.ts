import { operationTags } from 'virtual:openapi';
import type { LoggedRequest } from '@crier/client';

/** The operation in the API reference, which lists its errors. Null if the reference does not have it. */
export function referenceOf({ method, path }: Pick<LoggedRequest, 'method' | 'path'>): string | null {
  const tag = operationTags[path];
  return tag ? `/docs#tag/${tag}/${method}${path}` : null;
}
