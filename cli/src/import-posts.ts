import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { Connection, Crier, ImportedPost, ImportResult, PlatformLimits, Problem } from '@crier/client';
import { commandErrorOf, issueLine } from './failures.ts';
import { fileIssues } from './file-issues.ts';
import type { Row, RowProblem } from './import-file.ts';
import { inspectFiles } from './local-files.ts';
import type { Output } from './output.ts';
import {
  addMedia,
  draftOf,
  filesOf,
  isAddress,
  type MediaItem,
  mediaUrlsOf,
  namesOf,
  nextSlot,
  requestOf,
  type When,
  withAltTexts,
} from './send-post.ts';
import { findTargets, platformOf } from './targets.ts';
import { absoluteTime } from './times.ts';

/** A row that is ready to send. */
export interface ReadyRow {
  line: number;
  key: string;
  /** With a local file among the media, this is a draft, which gets the missing media and is then sent. */
  post: ImportedPost;
  media: MediaItem[];
  when: When;
}

export interface ImportSource {
  file: string;
  connections: readonly Connection[];
  /** By platform. */
  limits: Readonly<Record<string, PlatformLimits>>;
  timeZone: string;
}

/** Limits of one call; the service accepts 500 posts and 4 MB. */
const maxPosts = 500;
const maxBytes = 3_000_000;

/**
 * Resolves accounts, times and files. The key of a row is derived from its content, so that importing the same file
 * again posts each row only once. Identical rows are distinguished by their order.
 */
export async function prepareRows(rows: readonly Row[], source: ImportSource) {
  const [ready, problems]: [ReadyRow[], RowProblem[]] = [[], []];
  const seen = new Map<string, number>();
  for (const { line, ...row } of rows) {
    try {
      const said = JSON.stringify([row, row.at && source.timeZone]);
      const count = (seen.get(said) ?? 0) + 1;
      seen.set(said, count);
      const key = `import-${createHash('sha256').update(`${count} ${said}`).digest('hex').slice(0, 40)}`;
      ready.push({ line, key, ...(await prepareRow(row, key, source)) });
    } catch (error) {
      const { code, message } = error instanceof RowError ? error : commandErrorOf(error);
      problems.push({ line, code, message });
    }
  }
  return { ready, problems };
}

class RowError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

async function prepareRow(row: Omit<Row, 'line'>, key: string, source: ImportSource) {
  const { file, connections, timeZone } = source;
  if (row.to.length === 0) throw new RowError('TARGET_MISSING', 'The column "to" contains no account.');
  const time =
    row.at === null || row.at === nextSlot ? row.at : (absoluteTime(row.at, { timeZone })?.toISOString() ?? null);
  if (row.at !== null && time === null) {
    // A relative time would change when the import runs again.
    throw new RowError(
      'TIME_INVALID',
      `"${row.at}" is not a date and time. Write for example 2027-03-04 09:00, or next-slot`,
    );
  }
  const when: When = time ? { scheduledTime: time, status: 'scheduled' } : { publishNow: true };
  const located = (name: string) => (isAddress({ name }) ? name : resolve(dirname(file), name));
  const media = withAltTexts(row.media.map(located), row.alt ?? []);
  const files = filesOf({ media });
  const platforms = findTargets(row.to, connections);
  await requireFiles(namesOf(files), platforms, source);
  const { text: content, comments } = row;
  const whole = { content, platforms, comments, media, when };
  const sent = files.length > 0 ? draftOf(whole) : requestOf(whole);
  return { media, when, post: { ...sent, idempotencyKey: key } };
}

/** Checks the files first: a file that a network rejects would stop the import in the middle. */
async function requireFiles(files: readonly string[], platforms: readonly string[], { limits }: ImportSource) {
  const inspected = await inspectFiles(files);
  const names = new Set(platforms.map((platformId) => platformOf({ platformId })));
  const issues = [...names].flatMap((platform) => (limits[platform] ? fileIssues(limits[platform], inspected) : []));
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new RowError(errors[0]!.code, errors.map(issueLine).join('; '));
}

export interface Sending {
  /** Only validates the rows, with all of their URLs. */
  dryRun?: boolean;
  /** Runs before each call, with the rows that it sends. */
  before?(batch: readonly ReadyRow[]): Promise<void>;
  onResult(row: ReadyRow, result: ImportResult): Promise<void> | void;
}

/** Sends the rows in as few calls as possible, one after the other. */
export async function sendRows(crier: Crier, rows: readonly ReadyRow[], { dryRun = false, before, onResult }: Sending) {
  for (const batch of batchesOf(dryRun ? rows.map(withAllUrls) : rows)) {
    await before?.(batch);
    const { results } = await crier.importPosts({ posts: batch.map(({ post }) => post), dryRun });
    for (const [index, row] of batch.entries()) await onResult(row, results[index]!);
  }
}

const withAllUrls = (row: ReadyRow): ReadyRow => ({ ...row, post: { ...row.post, ...mediaUrlsOf(row.media) } });

function* batchesOf(rows: readonly ReadyRow[]): Generator<ReadyRow[]> {
  let [batch, bytes]: [ReadyRow[], number] = [[], 0];
  for (const row of rows) {
    const size = Buffer.byteLength(JSON.stringify(row.post)) + 1;
    if (batch.length > 0 && (batch.length >= maxPosts || bytes + size > maxBytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(row);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** The service's message about a rejected row, or null if the row is fine. */
export function problemIn({ line }: ReadyRow, { status, response }: ImportResult): RowProblem | null {
  if (status === 200) return null;
  const { code = `HTTP_${status}`, message, error, validation } = response as Problem;
  const issues = (validation as { errors?: Parameters<typeof issueLine>[0][] } | undefined)?.errors ?? [];
  const about = String(message ?? error ?? `The service returned status ${status}.`);
  return { line, code: String(code), message: issues.length > 0 ? issues.map(issueLine).join('; ') : about };
}

/**
 * Whether the service has certainly not stored the row. After the excluded statuses, an earlier request with the same
 * key may have stored it, or may still do so.
 */
export const wasRefused = ({ status }: ImportResult) =>
  status >= 400 && status < 500 && ![401, 409, 422].includes(status);

/** Adds the missing media of a draft and sends it. Works after an import that was interrupted at any point. */
export async function finishDraft(crier: Crier, { media, when, key }: ReadyRow, postGroupId: string, out: Output) {
  const { status, media: attached } = await crier.getPost({ postGroupId });
  if (status !== 'draft') return;
  for (const { mediaId, status: state } of attached) {
    if (state !== 'ready') await crier.deleteMedia({ mediaId });
  }
  // Media are added in order, so those that the draft already has are the first ones.
  const done = attached.filter(({ status: state }) => state === 'ready').length;
  for (const [index, item] of media.entries()) {
    // The service may still be fetching a URL for an interrupted import. The key prevents a second copy.
    const draft = { postGroupId, idempotencyKey: `${key}-media-${index}` };
    if (index >= done) await addMedia(crier, item, draft, out);
  }
  await crier.updatePost({ postGroupId, ...when, idempotencyKey: `${key}-send` });
}
