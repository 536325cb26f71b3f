import { sql } from 'kysely';
import type { App } from '../../src/app.ts';
import type { CommentResult } from '../../src/publishing/comment-plan.ts';
import type { SandboxPost } from '../support/sandbox-client.ts';

interface Target {
  id: string;
  platform: string;
  status: string;
  content: string;
  postedId: string | null;
  error: { code: string; message: string; platformError: string | null } | null;
  threadParts: { content: string; status: string; publishedId: string | null }[];
  comments: { text: string }[];
  commentResults: CommentResult[];
}

export interface Verdict {
  targets: number;
  outcomes: Record<string, number>;
  comments: Record<string, number>;
  /** An example of each failure. */
  reasons: Record<string, string>;
  duplicates: string[];
  losses: string[];
  unfinished: string[];
  untrue: string[];
  /** Of each target with which something is wrong: its log and steps, and what the network holds of it. */
  stories: Story[];
}
type Story = { target: string; log: unknown; steps: unknown; held: unknown };

/** Asks the networks what they hold, and compares it with what we believe. */
export async function verify(app: App, sandboxUrl: string): Promise<Verdict> {
  const verdict: Verdict = {
    targets: 0,
    outcomes: {},
    comments: {},
    reasons: {},
    duplicates: [],
    losses: [],
    unfinished: [],
    untrue: [],
    stories: [],
  };
  const wrong = () =>
    verdict.duplicates.length + verdict.losses.length + verdict.unfinished.length + verdict.untrue.length;
  const targets = await readTargets(app);
  for (const [platform, ours] of Map.groupBy(targets, (target) => target.platform)) {
    const held = await postsAt(sandboxUrl, platform);
    for (const target of ours) {
      const before = wrong();
      judge(target, held, verdict);
      if (wrong() > before) verdict.stories.push(await storyOf(app, target, held));
    }
  }
  return verdict;
}

function judge(target: Target, held: Map<string, SandboxPost[]>, verdict: Verdict) {
  const { platform, status, error, postedId, threadParts } = target;
  const name = `${platform} ${target.id}`;
  const code = status === 'failed' ? (error?.code ?? 'no code') : status;
  verdict.targets += 1;
  verdict.outcomes[`${platform} ${code}`] = (verdict.outcomes[`${platform} ${code}`] ?? 0) + 1;
  if (error) verdict.reasons[`${platform} ${code}`] ??= `${error.message} (${error.platformError})`;
  const parts = threadParts.length > 1 ? threadParts : [{ content: target.content, status, publishedId: postedId }];
  const found = parts.map(({ content }) => held.get(content.trim()) ?? []);
  if (found.some((posts) => posts.length > 1))
    verdict.duplicates.push(`${name}: ${found.map((posts) => posts.length)}`);

  if (status === 'published') {
    if (found.some((posts) => posts.length === 0)) verdict.losses.push(`${name}: published, and not there`);
    else if (found[0]?.[0]?.id !== postedId && platform !== 'tiktok') verdict.untrue.push(`${name}: another id`);
  } else if (status === 'failed') {
    const mayBeThere = code === 'PUBLISH_OUTCOME_UNKNOWN' || code === 'THREAD_PARTIALLY_PUBLISHED';
    if (!mayBeThere && found.some((posts) => posts.length > 0))
      verdict.untrue.push(`${name}: ${code}, and it is there`);
    for (const [index, part] of parts.entries()) {
      const isOut = part.status === 'published';
      if (isOut && found[index]?.length === 0) verdict.losses.push(`${name}: part ${index} is not there`);
    }
  } else verdict.unfinished.push(`${name}: ${status}`);
  judgeComments(target, held, verdict, name);
}

function judgeComments(target: Target, held: Map<string, SandboxPost[]>, verdict: Verdict, name: string) {
  if (target.status !== 'published') return;
  for (const [index, result] of target.commentResults.entries()) {
    const text = target.comments[index]?.text ?? '';
    const count = held.get(text)?.length ?? 0;
    const label = result.error?.code ?? result.status;
    verdict.comments[label] = (verdict.comments[label] ?? 0) + 1;
    if (count > 1) verdict.duplicates.push(`${name}: comment ${count} times`);
    if (result.status === 'pending') verdict.unfinished.push(`${name}: comment`);
    if (result.status === 'posted' && count === 0) verdict.losses.push(`${name}: comment`);
    if (result.status === 'failed' && count > 0 && !result.error?.outcomeUnknown)
      verdict.untrue.push(`${name}: comment`);
  }
}

async function storyOf(app: App, { id, platform, content }: Target, held: Map<string, SandboxPost[]>): Promise<Story> {
  const log = await sql`
    select event, retry_count, error, metadata, created_at from post_logs where platform_post_id = ${id} order by id`.execute(
    app.db,
  );
  const steps = await sql`
    select name, started_at, ended_at, result from publish_steps where platform_post_id = ${id} order by started_at`.execute(
    app.db,
  );
  return { target: `${platform} ${id}`, log: log.rows, steps: steps.rows, held: held.get(content.trim()) ?? [] };
}

async function readTargets(app: App): Promise<Target[]> {
  const { rows } = await sql<Target>`
    select platform_posts.id, platform_posts.platform, platform_posts.status, platform_posts.content,
      posted_id as "postedId", error, thread_parts as "threadParts", first_comments as comments,
      first_comment_results as "commentResults"
    from platform_posts join post_groups on post_groups.id = post_group_id
    -- Drafts are what the database was too busy dying to take.
    where platform_posts.status <> 'draft'`.execute(app.db);
  return rows;
}

/** By text: a group has one target on each network, and words of its own. */
async function postsAt(sandboxUrl: string, vendor: string): Promise<Map<string, SandboxPost[]>> {
  const response = await fetch(`${sandboxUrl}/_control/posts?network=${vendor}`);
  const posts = (await response.json()) as SandboxPost[];
  return Map.groupBy(posts, ({ text }) => text.trim());
}
