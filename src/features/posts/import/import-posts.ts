import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { problemBody, problemOfIssue } from '../../../foundation/http/answers/error-handler.ts';
import { once, requireKeyLength } from '../../../foundation/http/idempotency.ts';
import { unknownFields } from '../../../foundation/http/requests/input-warnings.ts';
import { nextRound } from '../../../foundation/text/in-turns.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { recheckWhenSlow } from '../../auth/api-keys/live-credential.ts';
import type { PostWritingApp } from '../create/create-post.ts';
import { createPostGroup, validateNewPost } from '../create/create-post.ts';
import { lacksContent } from '../create/required-content.ts';
import { CreatePost } from '../schema.ts';
import type { ImportPosts, ImportResult } from './schema.ts';

/**
 * Number of rows stored concurrently. They spend most of their time waiting for the database or for files from
 * `mediaUrls`.
 */
const concurrency = 4;
const rowsPerReport = 50;

/**
 * Creates each post as create-post would. `isCancelled` means that the client has disconnected and will send the rest
 * again.
 */
export async function importPosts(
  app: PostWritingApp,
  who: Who,
  { posts, dryRun }: ImportPosts,
  isCancelled: () => boolean,
) {
  const repeated = repeatedKeys(posts);
  const results: ImportResult[] = new Array(posts.length);
  const report = progressOf(app, who, posts.length);
  const requireAccess = accessDuring(app, who);
  let next = 0;

  async function work() {
    for (;;) {
      // Otherwise parsing the body and several rows would run in a single event loop iteration.
      await nextRound();
      if (next >= posts.length || isCancelled()) return;
      const index = next;
      next += 1;
      const problem = repeated.has(index) ? new Problem('import_key_repeated') : null;
      const row = { app, who, post: posts[index], dryRun, requireAccess };
      results[index] = problem ? failed(keyOf(posts[index]), problem) : await importRow(row);
      if (!dryRun) await report(results[index]);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work));
  const succeeded = results.filter((result) => result?.status === 200).length;
  return { success: true as const, dryRun, succeeded, failed: posts.length - succeeded, results };
}

interface Row {
  app: PostWritingApp;
  who: Who;
  post: unknown;
  dryRun: boolean;
  requireAccess(): Promise<void>;
}

/**
 * Access may be revoked while earlier rows are stored, which takes minutes if their files are slow. Later rows are
 * then not stored.
 */
function accessDuring(app: PostWritingApp, who: Who): Row['requireAccess'] {
  const recheck = recheckWhenSlow(app, who);
  const message = 'The access of this call ended while it ran. This post was not created.';
  return () =>
    recheck(app.db).catch((error: unknown) => {
      throw error instanceof Problem ? new Problem(error.key, { ...error.body, message }) : error;
    });
}

async function importRow({ app, who, post, dryRun, requireAccess }: Row): Promise<ImportResult> {
  const key = keyOf(post);
  try {
    const { idempotencyKey: _, ...body } = requireObject(post);
    const input = readPost(body);
    if (key === null) throw new Problem('import_key_missing');
    await requireAccess();
    const warnings = unknownFields(CreatePost, body);
    const { answer, replayed } = dryRun
      ? { answer: await validate(app, who, input), replayed: false }
      : await create(app, who, { key, body, input });
    const all = [...(answer.warnings ?? []), ...warnings].map((warning) => ({ ...warning }));
    const response = { ...answer, ...(all.length > 0 && { warnings: all }) };
    return { idempotencyKey: key, status: 200, ...(replayed && { replayed }), response };
  } catch (error) {
    if (error instanceof Problem) return failed(key, error);
    app.log.error({ err: error, userId: who.userId }, 'a post of an import failed');
    return failed(key, new Problem('post_create_failed'));
  }
}

/** Uses the resource of create-post: a key that was used there refers to the same post here. */
async function create(
  app: PostWritingApp,
  who: Who,
  { key, body, input }: { key: string; body: unknown; input: CreatePost },
) {
  requireKeyLength(key);
  let replayed = false;
  const onReplay = () => {
    replayed = true;
  };
  const answer = await once(app, { userId: who.userId, key, resource: 'create-post', body, onReplay }, (claimedKey) =>
    createPostGroup(app, who, input, claimedKey),
  );
  return { answer, replayed };
}

/** As in create-post, only drafts may have errors. */
async function validate(app: PostWritingApp, who: Who, input: CreatePost) {
  const answer = await validateNewPost(app, who, input);
  const isDraft = input.status === 'draft' || !(input.publishNow || input.scheduledTime || input.publishAt);
  if (!answer.validation.valid && !isDraft) throw new Problem('validation_failed', { validation: answer.validation });
  return answer;
}

function readPost(body: Record<string, unknown>): CreatePost {
  if (lacksContent(body)) throw new Problem('content_required');
  const { data, error } = CreatePost.safeParse(body);
  if (error) throw problemOfIssue(error.issues[0]!, body);
  return data;
}

function requireObject(post: unknown): Record<string, unknown> {
  if (typeof post !== 'object' || post === null || Array.isArray(post)) throw new Problem('import_post_invalid');
  return { ...post };
}

function keyOf(post: unknown): string | null {
  const key = typeof post === 'object' && post !== null && 'idempotencyKey' in post ? post.idempotencyKey : null;
  return typeof key === 'string' && key !== '' ? key : null;
}

/** The rows that repeat the key of an earlier row. */
function repeatedKeys(posts: readonly unknown[]): Set<number> {
  const seen = new Set<string>();
  const repeated = new Set<number>();
  for (const [index, post] of posts.entries()) {
    const key = keyOf(post);
    if (key !== null && seen.has(key)) repeated.add(index);
    else if (key !== null) seen.add(key);
  }
  return repeated;
}

const failed = (idempotencyKey: string | null, problem: Problem): ImportResult => ({
  idempotencyKey,
  status: problem.status,
  response: problemBody(problem),
});

/** Reports every 50 rows. A failed report must not fail the import. */
function progressOf({ db, newId, log }: PostWritingApp, { userId }: Who, total: number) {
  const importId = newId();
  let [done, refused] = [0, 0];
  return async ({ status }: ImportResult) => {
    done += 1;
    if (status !== 200) refused += 1;
    if (done % rowsPerReport !== 0 && done !== total) return;
    await recordProgress(db, userId, { importId, done, failed: refused, total }).catch((error: unknown) =>
      log.warn({ err: error }, 'the progress of an import could not be reported'),
    );
  };
}

/** For the user's event streams, if there are any. */
const recordProgress = (db: Db, userId: string, progress: object) =>
  sql`
    insert into changes (user_id, kind, data)
    select user_id, 'import', ${JSON.stringify({ change: 'updated', ...progress })}::jsonb
    from stream_users where user_id = ${userId}`.execute(db);
