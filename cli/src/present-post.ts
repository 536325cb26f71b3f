import type { Crier, PlatformPost, PostGroup } from '@crier/client';
import type { Context } from './context.ts';
import { CommandError } from './failures.ts';
import { type Cell, type Output, plain, table } from './output.ts';
import { showTime } from './time-zone.ts';

const shades: Record<string, keyof Output['paint']> = {
  published: 'green',
  failed: 'red',
  partially_published: 'yellow',
  draft: 'grey',
};

export const statusCell = (status: string, paint: Output['paint']): Cell => {
  const shade = shades[status];
  return shade ? [status, paint[shade]] : status;
};

/** Lines for a post and the state of each of its targets. */
export function postLines(post: PostGroup, paint: Output['paint'], timeZone: string): string[] {
  const rows = post.posts.map((target) => [target.platform, statusCell(target.status, paint), aboutTarget(target)]);
  const text = post.posts[0]?.content ?? '';
  return [
    `${paint.bold(post.postGroupId)}  ${post.status}  ${showTime(timeZone, post.scheduledTime)}`,
    ...(text ? [plain(shorten(text, 400))] : []),
    ...post.media.map(({ sourceFileName, status, type }) =>
      plain(`  ${type ?? 'file'} ${sourceFileName ?? ''} (${status})`),
    ),
    '',
    ...table(['NETWORK', 'STATUS', ''], rows, paint),
  ];
}

export function aboutTarget({ permalink, error, retry, threadParts, firstCommentResults }: PlatformPost): string {
  const parts = threadParts.filter(({ status }) => status === 'published').length;
  return [
    permalink,
    error && `${error.message} (${error.code})`,
    retry && `${retry.error.message}; next attempt ${retry.nextAttemptAt ?? 'running'}`,
    threadParts.length > 0 && `${parts}/${threadParts.length} parts`,
    ...firstCommentResults.map(
      ({ status, error: problem }) => `comment ${status}${problem ? `: ${problem.message}` : ''}`,
    ),
  ]
    .filter(Boolean)
    .join('  ');
}

/** Covers the attempts at a post, and the pauses between them. */
const publishingMs = 1_200_000;

/** Waits until the post, which is due in `dueMs`, is published, and shows where. */
export async function showWhenPublished(
  { show, out: { paint } }: Pick<Context, 'show' | 'out'>,
  crier: Crier,
  postGroupId: string,
  dueMs = 0,
) {
  const ended = await crier.waitUntilPublished(postGroupId, { timeoutMs: dueMs + publishingMs });
  requirePublished(ended);
  const targets = ended.posts.map((target) => plain(`  ${target.platform}  ${aboutTarget(target)}`));
  show(ended, [`${paint.green('✓')} Published: ${paint.bold(postGroupId)}`, ...targets]);
}

/** Throws if a finished post did not reach all its networks. */
export function requirePublished(post: PostGroup): void {
  if (post.status === 'published') return;
  const failed = post.posts.filter(({ status }) => status === 'failed');
  throw new CommandError('failed', `The post ${post.postGroupId} is ${post.status.replace('_', ' ')}.`, {
    code: post.status === 'failed' ? 'POST_FAILED' : 'POST_PARTIALLY_PUBLISHED',
    hint: `See what happened: crier logs ${post.postGroupId}`,
    data: post,
    lines: failed.map(({ platform, error }) => `${platform}: ${error?.message ?? 'failed'}`),
  });
}

export const shorten = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;
