import type { App } from '../../../app.ts';

type Storage = App['config']['storage'];

/**
 * Dashboard pages may load only from this service, and files from the storage. Styles that components insert need the
 * nonce.
 */
export function pagePolicy(nonce: string, storage: Storage): string {
  const files =
    storage.kind === 's3'
      ? storageOrigins(storage)
          .map((origin) => ` ${origin}`)
          .join('')
      : '';
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    `img-src 'self' data: blob:${files}`,
    `media-src 'self' blob:${files}`,
    `connect-src 'self'${files}`,
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

type Bucket = Extract<Storage, { kind: 's3' }>;

/** AWS has a host for each bucket and region. */
const storageOrigins = ({ endpoint, publicUrl }: Bucket) => [
  ...(endpoint ? [new URL(endpoint).origin] : ['https://*.amazonaws.com']),
  ...(publicUrl ? [new URL(publicUrl).origin] : []),
];
