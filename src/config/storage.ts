import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { StorageConfig } from '../foundation/storage/storage.ts';

/** The value of STORAGE_URL. */
export function storage() {
  return z.string().transform((value, context): StorageConfig => {
    const found = value.startsWith('file:') ? storageFolder(value) : storageBucket(value);
    if (typeof found !== 'string') return found;
    context.addIssue({ code: 'custom', message: found });
    return z.NEVER;
  });
}

/** The folder, or an error text. */
function storageFolder(value: string): StorageConfig | string {
  const wrong = 'has no folder: write file:/srv/crier, or omit it to use DATA_DIR';
  if (!value.startsWith('file://')) {
    return value === 'file:' ? wrong : { kind: 'disk', folder: resolve(value.slice('file:'.length)) };
  }
  const { host, pathname } = URL.parse(value) ?? { host: '', pathname: '/' };
  return host || pathname === '/' ? wrong : { kind: 'disk', folder: fileURLToPath(value) };
}

const bucketParameters = ['region', 'endpoint', 'accessKeyId', 'secretAccessKey', 'publicUrl'] as const;

/** The bucket, or an error text. */
function storageBucket(value: string): StorageConfig | string {
  // Many secrets contain a plus sign, which means a space in a query, and people paste them unencoded.
  const url = URL.parse(value.replaceAll('+', '%2B'));
  const bucket = url?.host ?? '';
  if (url?.protocol !== 's3:' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) || !/^\/?$/.test(url.pathname)) {
    return 'is not a storage URL: write file:/srv/crier or s3://my-bucket?region=eu-central-1';
  }
  const given = Object.fromEntries(url.searchParams) as { [Name in (typeof bucketParameters)[number]]?: string };
  const unknown = Object.keys(given).find((name) => !bucketParameters.some((known) => known === name));
  if (unknown) return `has an unknown parameter "${unknown}": use ${bucketParameters.join(', ')}`;
  for (const name of ['endpoint', 'publicUrl'] as const) {
    const address = given[name];
    if (address !== undefined && !/^https?:$/.test(URL.parse(address)?.protocol ?? '')) {
      return `has an invalid URL: write ${name}=https://s3.example.com`;
    }
  }
  const { region, endpoint, accessKeyId, secretAccessKey, publicUrl } = given;
  if (!region && !endpoint)
    return 'does not specify the location of the bucket: add ?region=eu-central-1, or endpoint=…';
  if (!accessKeyId !== !secretAccessKey)
    return 'has only one of the two credentials: give both accessKeyId and secretAccessKey';
  return {
    kind: 's3',
    bucket,
    // Servers other than AWS accept any region.
    region: region || 'us-east-1',
    endpoint: endpoint?.replace(/\/+$/, '') ?? null,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null,
    publicUrl: publicUrl?.replace(/\/+$/, '') ?? null,
  };
}
