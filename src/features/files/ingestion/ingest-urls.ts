import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { checkUrl, exceptionsFrom } from '../../../foundation/egress/check-url.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { createFairTurns } from '../../../foundation/lib/fair-turns.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { type StorageRoom, storageRoom } from '../../users/within-quotas.ts';
import { insertMedia, takeFromUrlQuota } from '../queries.ts';
import { commitStagedFiles, discardStagedFiles } from '../storing/orphaned-file-queries.ts';
import { type Download, DownloadError, download, explain, maxRequestBytes } from './download.ts';

/** For all URLs of a request together. */
const requestBudgetMs = 120_000;
const atOnce = 4;
/** For all requests of an owner together, in this process. One owner's slow hosts do not take places from others. */
const turns = createFairTurns({ places: Number.POSITIVE_INFINITY, perOwner: 8 });

/** A URL that was fetched (contract.md#create-post.answer-media). */
export type UrlResult = { url: string; ok: true; mediaId: string };

/** Files fetched for a post. Disposing removes them unless they were committed. */
export interface Ingested extends AsyncDisposable {
  readonly files: readonly (Download & { id: string; altText: string | null; shared: boolean })[];
  readonly results: UrlResult[];
  /** Inserts their records. Call it in the transaction that stores the post. */
  commit(tx: Db, postGroupId: string): Promise<void>;
}

export interface WantedUrl {
  url: string;
  /** Defaults to the last part of the path. */
  fileName?: string;
  altText?: string | null;
  shared?: boolean;
}

type Fetcher = Pick<Who, 'userId' | 'ownerId'>;

/** Fetches all URLs. If one fails, throws the outcome of each and stores nothing. */
export async function ingestUrls(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'storage' | 'egress' | 'config'>,
  who: Fetcher,
  wanted: readonly WantedUrl[],
  { budgetMs = requestBudgetMs, maxBytes = maxRequestBytes } = {},
): Promise<Ingested> {
  const faults = wanted.map(({ url }) => staticFault(app, url));
  if (faults.some(Boolean)) throw failed(wanted, faults, []);
  await takeUrlQuota(app, who.ownerId, wanted.length);
  const { downloads, errors } = await fetchAll(app, who, wanted, { budgetMs, maxBytes });
  const keys = keysOf(downloads);
  if (errors.some(Boolean)) {
    await discardStagedFiles(app.db, keys, app.clock.now());
    throw failed(wanted, errors, downloads);
  }
  const files = downloads.map((file, index) => ({
    ...file!,
    id: app.newId(),
    altText: wanted[index]!.altText ?? null,
    shared: wanted[index]!.shared ?? true,
  }));
  return {
    files,
    results: files.map(({ id }, index) => ({ url: wanted[index]!.url, ok: true, mediaId: id })),
    async commit(tx, postGroupId) {
      if (!(await commitStagedFiles(tx, keys)))
        throw new Error('A fetched file was removed before its record was stored.');
      for (const { key, fileName, ...file } of files) {
        const record = { ...file, userId: who.userId, postGroupId, purpose: 'post', status: 'ready' } as const;
        await insertMedia(tx, { ...record, storageKey: key, sourceFileName: fileName, now: app.clock.now() });
      }
    },
    [Symbol.asyncDispose]: () => discardStagedFiles(app.db, keys, app.clock.now()),
  };
}

/** Checks a URL without fetching it. */
export function staticFault({ config }: Pick<App, 'config'>, url: string): DownloadError | null {
  try {
    checkUrl(url, exceptionsFrom(config.egressAllow));
    return null;
  } catch (error) {
    return explain(error, new AbortController().signal) as DownloadError;
  }
}

/** Fetches a few at a time. The first failure aborts the rest. */
async function fetchAll(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'storage' | 'egress' | 'config'>,
  { userId, ownerId }: Fetcher,
  wanted: readonly WantedUrl[],
  { budgetMs, maxBytes }: { budgetMs: number; maxBytes: number },
) {
  const downloads: (Download | null)[] = wanted.map(() => null);
  const errors: (DownloadError | null)[] = wanted.map(() => null);
  const stop = new AbortController();
  const count = byteCounter(maxBytes, await storageRoom(app.db, userId));
  const timeout = setTimeout(() => stop.abort(timedOut(budgetMs)), budgetMs);
  let next = 0;
  const worker = async () => {
    for (let place = next++; place < wanted.length && !stop.signal.aborted; place = next++) {
      const { url, fileName } = wanted[place]!;
      using turn = await turns.acquire(ownerId, budgetMs);
      if (!turn || stop.signal.aborted) return;
      try {
        downloads[place] = await download(app, url, { fileName, place, ownerId, signal: stop.signal, count });
      } catch (error) {
        stop.abort(skipped());
        if (!(error instanceof DownloadError)) throw error;
        errors[place] = error;
      }
    }
  };
  // Wait for all of them, so that nothing is being written when the response is sent.
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  clearTimeout(timeout);
  const broken = ended.find((outcome) => outcome.status === 'rejected');
  if (broken) {
    await discardStagedFiles(app.db, keysOf(downloads), app.clock.now()).catch(() => {});
    throw broken.reason;
  }
  // A URL with neither a file nor an error was not fetched, because time ran out or another URL failed.
  const faults = errors.map(
    (error, place) => error ?? (downloads[place] ? null : (stop.signal.reason as DownloadError)),
  );
  return { downloads, errors: faults };
}

const keysOf = (downloads: (Download | null)[]) => downloads.flatMap((found) => found?.key ?? []);

function byteCounter(maxBytes: number, room: StorageRoom) {
  let sum = 0;
  return (bytes: number) => {
    sum += bytes;
    if (sum > room.bytes) throw room.refusal(sum);
    if (sum > maxBytes) {
      throw new DownloadError(
        'MEDIA_URL_AGGREGATE_TOO_LARGE',
        `The files of this request are larger than ${Math.round(maxBytes / 1_048_576)} MB in total.`,
      );
    }
  };
}

const timedOut = (budgetMs: number) =>
  new DownloadError('MEDIA_URL_INGEST_TIMEOUT', `Fetching the media took longer than ${budgetMs / 1000} seconds.`);
const skipped = () => new DownloadError('MEDIA_URL_SKIPPED', 'Not fetched because another URL failed.');

function failed(
  wanted: readonly WantedUrl[],
  errors: (DownloadError | null)[],
  downloads: (Download | null)[],
): Problem {
  const rolledBack = { code: 'MEDIA_URL_ROLLED_BACK', message: 'Fetched, then removed because another URL failed.' };
  const mediaResults = wanted.map(({ url }, index) => {
    const { code, message } = errors[index] ?? (downloads[index] ? rolledBack : skipped());
    return { url, ok: false, code, error: message };
  });
  return new Problem('media_ingestion_failed', { mediaResults });
}

const urlsPerWindow = 60;
const windowMs = 3_600_000;

/** Counts URLs against the owner's 60 per hour, for all managed users together: all of them, or none if there are too many. */
async function takeUrlQuota({ db, clock }: Pick<App, 'db' | 'clock'>, ownerId: string, amount: number) {
  const now = clock.now();
  const windowEnd = await takeFromUrlQuota(db, { userId: ownerId, amount, max: urlsPerWindow, windowMs, now });
  if (windowEnd === null) return;
  const retryAfterSec = Math.max(1, Math.ceil((windowEnd.getTime() - now.getTime()) / 1000));
  throw new Problem('media_url_rate_limited', { retryAfterSec });
}
