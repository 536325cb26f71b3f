import { Problem } from '../../../foundation/errors/index.ts';
import { postLimits } from '../../../foundation/errors/posts.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import { inTurns, type Pausable } from '../../../foundation/text/in-turns.ts';
import { maxParts } from '../../../foundation/text/split-thread.ts';
import { platformFor } from '../../../platforms/index.ts';
import type { Media, Platform } from '../../../platforms/kit/index.ts';
import { isTextOptional, settingIssues } from '../../../platforms/settings.ts';
import type { Who } from '../../auth/access/api-key.ts';
import type { ActingApp } from '../../connections/credentials/act-as-account.ts';
import type { MediaRecord } from '../../files/files.ts';
import { filesOfTarget, type OwnFiles } from '../../files/files-of-target.ts';
import type { Target } from '../create/find-targets.ts';
import type { TargetContent } from '../create/target-content.ts';
import { issueFor, type ValidationIssue } from './issue.ts';
import { altTextIssues, mediaIssues, type PostMedia, type PostWithMedia } from './media-rules.ts';
import { permissionIssues } from './thread-permission.ts';

export interface PostToValidate extends PostWithMedia {
  targets: readonly TargetContent[];
  /** All files of the post. */
  media: readonly FileToValidate[];
}

type FileToValidate = PostMedia & Pick<MediaRecord, 'id' | 'shared'>;

/** With many issues, `errors` and `warnings` have the first, and `summary` counts those. */
export interface Validation {
  valid: boolean;
  errors: ValidationIssue[];
  warnings: ValidationIssue[];
  summary: { affectedPlatforms: string[]; errorCount: number; warningCount: number };
}

/** All issues of a post on all its platforms. */
export const validatePost = async (post: PostToValidate): Promise<Validation> =>
  validationOf(await inTurns(issuesIn(post)));

/**
 * Throws if the post has an error. Only posts that are scheduled or published are checked; drafts may be invalid. A
 * platform is called only for a post without other errors.
 */
export async function requireValid(app: ActingApp, who: Who, post: Omit<PostToValidate, 'plan' | 'client'>) {
  const issues = await inTurns(issuesIn({ ...post, plan: who.plan, client: who.client }));
  requireNoError(issues);
  requireNoError([...issues, ...(await permissionIssues(app, who.userId, post.targets))]);
}

/** Throws if one of these platforms does not support alt text for one of its files. */
export async function requireAltTexts(
  targets: readonly (Target & { mediaIds: OwnFiles })[],
  post: { media: readonly FileToValidate[]; client: string },
) {
  requireNoError(await inTurns(altTextIssuesIn(targets, post)));
}

function* altTextIssuesIn(
  targets: readonly (Target & { mediaIds: OwnFiles })[],
  { media, client }: { media: readonly FileToValidate[]; client: string },
): Pausable<ValidationIssue[]> {
  const found = new IssueList();
  for (const target of targets) {
    found.add(altTextIssues(target, { media: filesOfTarget(target.mediaIds, media), client }));
    if (found.isFull) break;
    yield;
  }
  return found.issues;
}

function requireNoError(issues: readonly ValidationIssue[]) {
  const validation = validationOf(issues);
  if (!validation.valid) throw new Problem('validation_failed', { validation });
}

function* issuesIn(post: PostToValidate): Pausable<ValidationIssue[]> {
  const found = new IssueList();
  for (const target of post.targets) {
    const sent = { ...post, media: filesOfTarget(target.mediaIds, post.media) };
    found.add(textIssues(target, sent));
    found.add(mediaIssues(target.target, sent));
    found.add(ownIssues(target, sent));
    if (found.isFull) break;
    yield;
  }
  return found.issues;
}

/** The first issues of each severity. A post with many targets and files could have millions. */
class IssueList {
  readonly issues: ValidationIssue[] = [];
  readonly #counts = { error: 0, warning: 0 };
  /** Whether there are so many errors that the rest need not be found. */
  get isFull() {
    return this.#counts.error >= postLimits.listedIssues;
  }
  add(issues: readonly ValidationIssue[]) {
    for (const issue of issues) {
      if (this.#counts[issue.severity] >= postLimits.listedIssues) continue;
      this.#counts[issue.severity] += 1;
      this.issues.push(issue);
    }
  }
}

function validationOf(issues: readonly ValidationIssue[]): Validation {
  const errors = issues.filter(({ severity }) => severity === 'error');
  const warnings = issues.filter(({ severity }) => severity === 'warning');
  return {
    valid: errors.length === 0,
    errors,
    warnings,
    summary: {
      affectedPlatforms: [...new Set(issues.map(({ platform }) => platform))],
      errorCount: errors.length,
      warningCount: warnings.length,
    },
  };
}

function textIssues(targetContent: TargetContent, { settings, media }: PostToValidate): ValidationIssue[] {
  const { target, content, split, length, oversized } = targetContent;
  const { description, limits, connection } = target;
  const issue = issueFor(connection.platform);
  if (content.trim() === '') {
    if (isTextOptional(settings, connection.platform)) return [];
    // Only drafts may have no text, regardless of their media (contract.md#validation.text-required).
    const code = media.length > 0 || limits.mediaRequired ? 'CONTENT_TOO_SHORT' : 'CONTENT_OR_MEDIA_REQUIRED';
    return [issue(code, `${description.name} posts need text. Add some, or keep the post as a draft.`, 'content')];
  }
  const { max } = limits.text;
  return [
    ...(length > max ? [tooLong(target, length, split.kind === 'thread')] : []),
    ...(length <= max && split.kind === 'too-long' ? [tooManyParts(target)] : []),
    ...tooManyBytes(targetContent),
    ...tooManyTokens(targetContent),
    ...oversized.map((part) =>
      issue(
        'THREAD_PART_TOO_LONG',
        `Part ${part.index + 1} of the thread exceeds ${description.name}'s ${max} character limit (currently ${part.length})`,
        `threadParts[${part.index}]`,
        { constraint: 'maxLength', currentValue: part.length, maxValue: max },
      ),
    ),
  ];
}

function tooManyParts({ description, connection }: Target): ValidationIssue {
  const message = `A thread on ${description.name} can have at most ${maxParts} posts, but the separators in the text make more`;
  return issueFor(connection.platform)('CONTENT_TOO_LONG', message, 'content', {
    constraint: 'maxCount',
    maxValue: maxParts,
  });
}

/** Only a warning if the text becomes a thread. */
function tooLong({ description, limits, connection }: Target, length: number, isThread: boolean): ValidationIssue {
  const { max } = limits.text;
  const message = `Content exceeds ${description.name}'s ${max} character limit (currently ${length})`;
  return issueFor(connection.platform)('CONTENT_TOO_LONG', message, 'content', {
    severity: isThread ? 'warning' : 'error',
    constraint: 'maxLength',
    currentValue: length,
    maxValue: max,
    suggestions: [isThread ? 'It will be published as a thread' : `Shorten the text to ${max} characters`],
  });
}

function tooManyBytes({ target: { description, limits, connection }, bytes }: TargetContent): ValidationIssue[] {
  const { maxBytes = Number.POSITIVE_INFINITY } = limits.text;
  if (bytes <= maxBytes) return [];
  const message = `Content exceeds ${description.name}'s ${maxBytes} byte limit (currently ${bytes})`;
  const numbers = { constraint: 'maxLength', currentValue: bytes, maxValue: maxBytes };
  return [issueFor(connection.platform)('CONTENT_TOO_LONG', message, 'content', numbers)];
}

/** Each post of a thread has its own limits. */
function tooManyTokens({ target: { description, limits, connection }, most }: TargetContent): ValidationIssue[] {
  const { maxHashtags, maxMentions, maxLinks } = limits.text;
  const rules = [
    { what: 'hashtag', max: maxHashtags, count: most.hashtags },
    { what: 'mention', max: maxMentions, count: most.mentions },
    { what: 'link', max: maxLinks, count: most.links },
  ];
  return rules.flatMap(({ what, max = Number.POSITIVE_INFINITY, count }) => {
    if (count <= max) return [];
    const message = `${description.name} allows at most ${max} ${what}s per post (currently ${count})`;
    const numbers = { constraint: 'maxCount', currentValue: count, maxValue: max };
    return [issueFor(connection.platform)(`${what.toUpperCase()}_COUNT_EXCEEDED`, message, 'content', numbers)];
  });
}

function ownIssues({ target, content }: TargetContent, { settings, media }: PostToValidate): ValidationIssue[] {
  const { platform } = target.connection;
  const issue = issueFor(platform);
  if (!platformFor(platform)) {
    return [issue('PLATFORM_NOT_SUPPORTED', `Publishing to ${target.description.name} is not available`, 'platforms')];
  }
  return [
    ...settingIssues(settings, platform, { hasMedia: media.length > 0 }),
    ...adapterIssues(target, content, settings, media),
  ].map(({ code, message, field }) => issue(code, message, field));
}

/** Issues that only the platform's adapter can detect. */
function adapterIssues(target: Target, text: string, settings: Record<string, Json>, media: readonly PostMedia[]) {
  const { platform, accountId, handle, traits } = target.connection;
  const adapter: Platform | null = platformFor(platform);
  if (!adapter?.validate) return [];
  const own = adapter.settings.safeParse(settings[platform] ?? {});
  const post = { text, media: media.map(asMedia), thumbnail: null, settings: own.data ?? {} };
  const account = { id: accountId, handle, displayName: handle, avatarUrl: null, profileUrl: null, traits };
  return adapter.validate(post, account);
}

/** Metadata only: validation does not read files. */
const asMedia = ({ type, mimeType, metadata, altText }: PostMedia): Media => ({
  kind: type,
  type: mimeType,
  altText: altText ?? '',
  width: metadata?.width ?? 0,
  height: metadata?.height ?? 0,
  seconds: metadata?.duration ?? null,
  blob: () => Promise.reject(new Error('Validation does not read files.')),
  url: () => Promise.reject(new Error('Validation does not read files.')),
});
