import { Problem } from '../errors.ts';
import type { Who } from '../http/auth.ts';
import type { Json } from '../lib/json.ts';
import { textLength } from '../lib/text-length.ts';
import { platformFor } from '../platforms/index.ts';
import type { Media, Platform } from '../platforms/kit/index.ts';
import { isTextOptional, settingIssues } from '../platforms/settings.ts';
import { issuer, type ValidationIssue } from './issue.ts';
import { mediaIssues, type PostMedia, type PostWithMedia } from './media-rules.ts';
import type { PlannedTarget } from './plan-targets.ts';
import type { Target } from './targets.ts';
import { type PermissionNeeds, permissionIssues } from './thread-permission.ts';

export interface PostToValidate extends PostWithMedia {
  targets: readonly PlannedTarget[];
}

export interface Validation {
  valid: boolean;
  errors: ValidationIssue[];
  warnings: ValidationIssue[];
  summary: { affectedPlatforms: string[]; errorCount: number; warningCount: number };
}

/** Everything the networks would object to, all at once. */
export const validatePost = (post: PostToValidate): Validation => validationOf(issuesIn(post));

/**
 * For posts that are to go out: a draft may be as wrong as it likes. A network is asked only about a post that is
 * otherwise in order.
 */
export async function requireValid(app: PermissionNeeds, who: Who, post: Omit<PostToValidate, 'plan' | 'client'>) {
  const issues = issuesIn({ ...post, plan: who.plan, client: who.client });
  requireNoError(issues);
  requireNoError([...issues, ...(await permissionIssues(app, who.userId, post.targets))]);
}

function requireNoError(issues: readonly ValidationIssue[]) {
  const validation = validationOf(issues);
  if (!validation.valid) throw new Problem('validation_failed', { validation });
}

const issuesIn = (post: PostToValidate): ValidationIssue[] =>
  post.targets.flatMap((target) => [
    ...textIssues(target, post),
    ...mediaIssues(target.target, post),
    ...ownIssues(target, post),
  ]);

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

function textIssues({ target, content, split }: PlannedTarget, { settings, media }: PostToValidate): ValidationIssue[] {
  const { description, limits, connection } = target;
  const issue = issuer(connection.platform);
  if (content.trim() === '') {
    const mayBeEmpty = media.length > 0 || limits.mediaRequired || isTextOptional(settings, connection.platform);
    if (mayBeEmpty) return [];
    return [issue('CONTENT_OR_MEDIA_REQUIRED', `${description.name} posts need text or media`, 'content')];
  }
  const { max, unit, urlLength } = limits.text;
  const count = (text: string) => textLength(text, unit, { urlLength });
  const length = count(content);
  const oversized =
    split.kind === 'thread' ? split.oversized.map((index) => ({ index, text: split.parts[index]! })) : [];
  return [
    ...(length > max ? [tooLong(target, length, split.kind === 'thread')] : []),
    ...tooManyBytes(target, content),
    ...oversized.map(({ index, text }) =>
      issue(
        'THREAD_PART_TOO_LONG',
        `Part ${index + 1} of the thread exceeds ${description.name}'s ${max} character limit (currently ${count(text)})`,
        `threadParts[${index}]`,
        { constraint: 'maxLength', currentValue: count(text), maxValue: max },
      ),
    ),
  ];
}

/** Where the network takes a thread, it is only worth knowing. */
function tooLong({ description, limits, connection }: Target, length: number, isThread: boolean): ValidationIssue {
  const { max } = limits.text;
  const message = `Content exceeds ${description.name}'s ${max} character limit (currently ${length})`;
  return issuer(connection.platform)('CONTENT_TOO_LONG', message, 'content', {
    severity: isThread ? 'warning' : 'error',
    constraint: 'maxLength',
    currentValue: length,
    maxValue: max,
    suggestions: [isThread ? 'It will be published as a thread' : `Shorten the text to ${max} characters`],
  });
}

function tooManyBytes({ description, limits, connection }: Target, content: string): ValidationIssue[] {
  const { maxBytes = Number.POSITIVE_INFINITY } = limits.text;
  const bytes = Buffer.byteLength(content);
  if (bytes <= maxBytes) return [];
  const message = `Content exceeds ${description.name}'s ${maxBytes} byte limit (currently ${bytes})`;
  const numbers = { constraint: 'maxLength', currentValue: bytes, maxValue: maxBytes };
  return [issuer(connection.platform)('CONTENT_TOO_LONG', message, 'content', numbers)];
}

function ownIssues({ target, content }: PlannedTarget, { settings, media }: PostToValidate): ValidationIssue[] {
  const { platform } = target.connection;
  const issue = issuer(platform);
  if (!platformFor(platform)) {
    return [issue('PLATFORM_NOT_SUPPORTED', `Publishing to ${target.description.name} is not available`, 'platforms')];
  }
  return [
    ...settingIssues(settings, platform, { hasMedia: media.length > 0 }),
    ...adapterIssues(target, content, settings, media),
  ].map(({ code, message, field }) => issue(code, message, field));
}

/** What only the network's adapter knows. */
function adapterIssues(target: Target, text: string, settings: Record<string, Json>, media: readonly PostMedia[]) {
  const { platform, accountId, handle, traits } = target.connection;
  const adapter: Platform | null = platformFor(platform);
  if (!adapter?.validate) return [];
  const own = adapter.settings.safeParse(settings[platform] ?? {});
  const post = { text, media: media.map(asMedia), thumbnail: null, settings: own.data ?? {} };
  const account = { id: accountId, handle, displayName: handle, avatarUrl: null, profileUrl: null, traits };
  return adapter.validate(post, account);
}

/** Facts alone: nothing is read to look at them. */
const asMedia = ({ type, mimeType, metadata }: PostMedia): Media => ({
  kind: type,
  type: mimeType,
  altText: '',
  width: metadata?.width ?? 0,
  height: metadata?.height ?? 0,
  seconds: metadata?.duration ?? null,
  blob: () => Promise.reject(new Error('Validation reads no files.')),
  url: () => Promise.reject(new Error('Validation reads no files.')),
});
