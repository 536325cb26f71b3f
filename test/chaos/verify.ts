import { sql } from 'kysely';
import type { App } from '../../src/app.ts';
import type { CommentResult } from '../../src/features/publishing/comments/plan.ts';
import type { SandboxPost } from '../support/servers/sandbox.ts';

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
  /** Targets with the same text as another one for the same account. */
  equalTargets: number;
  outcomes: Record<string, number>;
  comments: Record<string, number>;
  /** An example of each failure. */
  reasons: Record<string, string>;
  duplicates: string[];
  losses: string[];
  unfinished: string[];
  untrue: string[];
  /** The log and steps of each faulty target, and its posts on the network. */
  stories: Story[];
}
type Story = { target: string; log: unknown; steps: unknown; there: unknown };

/** Compares the posts on the networks with the database. */
export async function verify(app: App, sandboxUrl: string): Promise<Verdict> {
  const verdict: Verdict = {
    targets: 0,
    equalTargets: 0,
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
    const there = await postsAt(sandboxUrl, platform);
    // Equal texts go to the same account, so all posts with a text belong to the targets with that text.
    for (const equal of Map.groupBy(ours, ({ content }) => content).values()) {
      const before = wrong();
      judge(equal, there, verdict);
      if (wrong() === before) continue;
      for (const target of equal) verdict.stories.push(await storyOf(app, target, there));
    }
  }
  return verdict;
}

/** A post, or a part of a thread. */
interface Unit {
  name: string;
  publishedId: string | null;
  isPublished: boolean;
  mayBeThere: boolean;
}

function judge(equal: readonly Target[], there: Map<string, SandboxPost[]>, verdict: Verdict) {
  if (equal.length > 1) verdict.equalTargets += equal.length;
  for (const target of equal) count(target, verdict);
  const [{ threadParts, content }] = equal as [Target];
  const texts = threadParts.length > 1 ? threadParts.map((part) => part.content) : [content];
  for (const [index, text] of texts.entries()) {
    const units = equal.map((target) => unitOf(target, index));
    judgeUnits(units, there.get(text.trim()) ?? [], equal[0]?.platform !== 'tiktok', verdict);
  }
  for (const target of equal) judgeComments(target, there, verdict);
}

function count({ id, platform, status, error }: Target, verdict: Verdict) {
  const code = status === 'failed' ? (error?.code ?? 'no code') : status;
  verdict.targets += 1;
  verdict.outcomes[`${platform} ${code}`] = (verdict.outcomes[`${platform} ${code}`] ?? 0) + 1;
  if (error) verdict.reasons[`${platform} ${code}`] ??= `${error.message} (${error.platformError})`;
  if (status !== 'published' && status !== 'failed') verdict.unfinished.push(`${platform} ${id}: ${status}`);
}

function unitOf({ id, platform, status, error, postedId, threadParts }: Target, index: number): Unit {
  const part = threadParts.length > 1 ? threadParts[index]! : { status, publishedId: postedId };
  return {
    name: `${platform} ${id}, part ${index}`,
    publishedId: part.publishedId,
    isPublished: part.status === 'published',
    mayBeThere: ['PUBLISH_OUTCOME_UNKNOWN', 'THREAD_PARTIALLY_PUBLISHED'].includes(error?.code ?? ''),
  };
}

/**
 * Among equal texts, the network must have one post for each published target, and may have one for each target in
 * doubt.
 */
function judgeUnits(units: readonly Unit[], there: readonly SandboxPost[], givesIds: boolean, verdict: Verdict) {
  const published = units.filter(({ isPublished }) => isPublished);
  const inDoubt = units.filter(({ isPublished, mayBeThere }) => !isPublished && mayBeThere);
  const refused = units.filter(({ isPublished, mayBeThere }) => !isPublished && !mayBeThere);
  const names = units.map(({ name }) => name).join('; ');
  if (there.length < published.length)
    verdict.losses.push(`${names}: ${published.length} published, ${there.length} there`);
  if (there.length > published.length + inDoubt.length) {
    const list = refused.length > 0 ? verdict.untrue : verdict.duplicates;
    list.push(`${names}: ${published.length} published, ${inDoubt.length} in doubt, ${there.length} there`);
  }
  if (!givesIds) return;
  const ids = new Set(there.map(({ id }) => id));
  const claimed = published.map(({ publishedId }) => publishedId ?? '');
  if (claimed.some((id) => !ids.has(id))) verdict.untrue.push(`${names}: another id`);
  if (new Set(claimed).size < claimed.length) verdict.losses.push(`${names}: the same id for two posts`);
}

function judgeComments(target: Target, there: Map<string, SandboxPost[]>, verdict: Verdict) {
  if (target.status !== 'published') return;
  const name = `${target.platform} ${target.id}`;
  for (const [index, result] of target.commentResults.entries()) {
    const under = (there.get(target.comments[index]?.text ?? '') ?? []).filter(
      ({ inReplyTo }) => inReplyTo === target.postedId,
    );
    const label = result.error?.code ?? result.status;
    verdict.comments[label] = (verdict.comments[label] ?? 0) + 1;
    if (under.length > 1) verdict.duplicates.push(`${name}: comment ${under.length} times`);
    if (result.status === 'pending') verdict.unfinished.push(`${name}: comment`);
    if (result.status === 'posted' && under.length === 0) verdict.losses.push(`${name}: comment`);
    if (result.status === 'failed' && under.length > 0 && !result.error?.outcomeUnknown)
      verdict.untrue.push(`${name}: comment`);
  }
}

async function storyOf(app: App, { id, platform, content }: Target, there: Map<string, SandboxPost[]>): Promise<Story> {
  const log = await sql`
    select event, retry_count, error, metadata, created_at from post_logs where platform_post_id = ${id} order by id`.execute(
    app.db,
  );
  const steps = await sql`
    select name, started_at, ended_at, result from publish_steps where platform_post_id = ${id} order by started_at`.execute(
    app.db,
  );
  return { target: `${platform} ${id}`, log: log.rows, steps: steps.rows, there: there.get(content.trim()) ?? [] };
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

/** By text. */
async function postsAt(sandboxUrl: string, vendor: string): Promise<Map<string, SandboxPost[]>> {
  const response = await fetch(`${sandboxUrl}/_control/posts?network=${vendor}`);
  const posts = (await response.json()) as SandboxPost[];
  return Map.groupBy(posts, ({ text }) => text.trim());
}
