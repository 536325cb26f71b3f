import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { Connection, Crier, ImportedPost, ImportResult, PlatformLimits, Problem } from '@crier/client';
import { commandErrorOf, issueLine } from './failures.ts';
import { fileIssues } from './file-issues.ts';
import type { Row, RowProblem } from './import-file.ts';
import { inspectFiles } from './local-files.ts';
import type { Output } from './output.ts';
import {
  filesOf,
  type MediaItem,
  namesOf,
  nextSlot,
  requestOf,
  uploadFile,
  type When,
  withAltTexts,
} from './send-post.ts';
import { findTargets, platformOf } from './targets.ts';
import { absoluteTime } from './times.ts';

/** A row that is ready to send. */
export interface ReadyRow {
  line: number;
  key: string;
  post: ImportedPost;
  /** Local files: they are uploaded to a draft, which is then sent. */
  files: MediaItem[];
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
  const media = withAltTexts(row.media, row.alt ?? []);
  const files = filesOf({ media }).map((item) => ({ ...item, name: resolve(dirname(file), item.name) }));
  const platforms = findTargets(row.to, connections);
  await requireFiles(namesOf(files), platforms, source);
  const { text: content, comments } = row;
  const sent = requestOf({ content, platforms, comments, media, when: files.length > 0 ? { status: 'draft' } : when });
  return { files, when, post: { ...sent, idempotencyKey: key } };
}

/** Checks the files first: a file that a network rejects would stop the import in the middle. */
async function requireFiles(files: readonly string[], platforms: readonly string[], { limits }: ImportSource) {
  const inspected = await inspectFiles(files);
  const names = new Set(platforms.map((platformId) => platformOf({ platformId })));
  const issues = [...names].flatMap((platform) => (limits[platform] ? fileIssues(limits[platform], inspected) : []));
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new RowError(errors[0]!.code, errors.map(issueLine).join('; '));
}

export type OnResult = (row: ReadyRow, result: ImportResult) => Promise<void> | void;

/** Sends the rows in as few calls as possible, one after the other. */
export async function sendRows(crier: Crier, rows: readonly ReadyRow[], dryRun: boolean, onResult: OnResult) {
  for (const batch of batchesOf(rows)) {
    const { results } = await crier.importPosts({ posts: batch.map(({ post }) => post), dryRun });
    for (const [index, row] of batch.entries()) await onResult(row, results[index]!);
  }
}

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

/** Uploads the missing files of a draft and sends it. Works after an import that was interrupted at any point. */
export async function finishDraft(crier: Crier, { files, when, key }: ReadyRow, postGroupId: string, out: Output) {
  const { status, media } = await crier.getPost({ postGroupId });
  if (status !== 'draft') return;
  for (const { mediaId, status: state } of media) {
    if (state !== 'ready') await crier.deleteMedia({ mediaId });
  }
  // Files are uploaded in order, so the uploaded ones are the first ones.
  const done = media.filter(({ status: state }) => state === 'ready').length;
  for (const file of files.slice(done)) await uploadFile(crier, file, postGroupId, out);
  await crier.updatePost({ postGroupId, ...when, idempotencyKey: `${key}-send` });
}
