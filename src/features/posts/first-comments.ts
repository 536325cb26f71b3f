import type { z } from 'zod';
import { Problem } from '../../foundation/errors/index.ts';
import { postLimits } from '../../foundation/errors/posts.ts';
import { textLength } from '../../foundation/text/length.ts';
import { descriptionOf } from '../../platforms/descriptions.ts';
import { nameablePlatforms } from '../../platforms/first-comments.ts';
import { platformFor } from '../../platforms/index.ts';
import type { FirstCommentLimit, Platform } from '../../platforms/kit/index.ts';
import { FirstComment } from './first-comment-schema.ts';

const maxCharacters = 25_000;

export interface FirstCommentsBody {
  firstComment?: unknown;
  firstComments?: unknown;
}
/** The field that the client used. Errors refer to it. */
export type FirstCommentsField = keyof FirstCommentsBody;

/** Undefined if the request has neither field, null if it clears the comments. */
export function readFirstComments(body: FirstCommentsBody): FirstComment[] | null | undefined {
  const sent = sentList(body);
  if (!sent) return sent;
  const field = fieldSent(body);
  const comments = sent
    .map((value, index) => readFirstComment(value, commentName(field, index)))
    .filter(({ text }) => text.trim() !== '');
  return comments.length > 0 ? comments : null;
}

export const fieldSent = ({ firstComment }: FirstCommentsBody): FirstCommentsField =>
  firstComment == null ? 'firstComments' : 'firstComment';

export interface FirstCommentTarget {
  platform: string;
  /** The account has a paid plan on the platform that allows longer texts. */
  premium: boolean;
}

export interface FirstCommentWarning {
  code: 'FIRST_COMMENT_PLATFORM_NOT_TARGETED' | 'FIRST_COMMENT_UNSUPPORTED_PLATFORMS';
  message: string;
  platforms: string[];
}

/** Throws for the first text that one of its targets would reject, and warns about comments that will not be posted. */
export function checkFirstComments(
  comments: readonly FirstComment[],
  targets: readonly FirstCommentTarget[],
  field: FirstCommentsField = comments.length === 1 ? 'firstComment' : 'firstComments',
): { warnings: FirstCommentWarning[] } {
  const byPlatform = Map.groupBy(targets, ({ platform }) => platform);
  const notTargeted = new Set<string>();
  const unsupported = new Set<string>();
  for (const [index, { text, platforms = [] }] of comments.entries()) {
    for (const platform of platforms.length > 0 ? platforms : byPlatform.keys()) {
      const targeted = byPlatform.get(platform);
      const limit = descriptionOf(platform)?.limits.firstComment;
      if (!targeted) notTargeted.add(platform);
      else if (!limit) unsupported.add(platform);
      else {
        const name = `${commentName(field, index)}.text`;
        const excess = excessOf(text.trim(), limit, targeted);
        if (excess) throw tooLong(platform, excess, name);
        requireAccepted(platform, text.trim(), name);
      }
    }
  }
  return { warnings: warningsOf([...notTargeted], [...unsupported]) };
}

function sentList({ firstComment, firstComments }: FirstCommentsBody): unknown[] | null | undefined {
  const field = 'firstComments';
  // Many clients send every field they know, so a null next to the other field counts as absent.
  if (firstComment != null && firstComments != null) throw new Problem('first_comments_both', { field });
  if (firstComment != null) return [firstComment];
  if (firstComments == null) return firstComment === undefined ? firstComments : null;
  if (!Array.isArray(firstComments)) {
    const error = 'firstComments must be an array of { text, platforms?, delaySeconds? }';
    throw new Problem('first_comment_invalid', { error, field });
  }
  if (firstComments.length > postLimits.firstComments) throw new Problem('first_comments_too_many', { field });
  return firstComments;
}

function readFirstComment(value: unknown, name: string): FirstComment {
  const { data: comment, error } = FirstComment.safeParse(value);
  if (error) throw invalid(error.issues, name);
  const count = comment.text.trim().length;
  if (count > maxCharacters) {
    throw new Problem('first_comment_too_long', {
      error: `${name}.text is too long: ${count} characters, limit ${maxCharacters}`,
      field: `${name}.text`,
      limit: maxCharacters,
      count,
      unit: 'characters',
    });
  }
  const unknown = comment.platforms?.find((platform) => !nameablePlatforms.includes(platform));
  if (unknown !== undefined) {
    throw new Problem('first_comment_platform_unknown', {
      error: `Unknown first comment platform "${unknown}": use platform types such as linkedin or twitter, not connection keys`,
      field: `${name}.platforms`,
      allowed: nameablePlatforms,
    });
  }
  return comment;
}

/** An issue with the whole comment, such as an unknown key, comes before issues with its fields. */
function invalid(issues: z.core.$ZodIssue[], name: string): Problem {
  const inside = issues.every(({ path }) => path.length > 0);
  const keys = name === 'firstComment' ? '{ text, platforms? }' : '{ text, platforms?, delaySeconds? }';
  const field = inside ? `${name}.${String(issues[0]!.path[0])}` : name;
  const error = inside ? `${field} ${issues[0]!.message}` : `${field} must be an object ${keys}`;
  return new Problem('first_comment_invalid', { error, field });
}

interface Excess {
  limit: number;
  count: number;
  unit: string;
}

function excessOf(text: string, allowed: FirstCommentLimit, targets: readonly FirstCommentTarget[]): Excess | null {
  const { max, premium = max, maxBytes = Number.POSITIVE_INFINITY, unit, urlLength, label } = allowed;
  // All targets get the same text, so one account without premium limits them all.
  const limit = targets.every((target) => target.premium) ? premium : max;
  const count = textLength(text, unit, urlLength);
  if (count > limit) return { limit, count, unit: label };
  const bytes = Buffer.byteLength(text);
  return bytes > maxBytes ? { limit: maxBytes, count: bytes, unit: 'bytes' } : null;
}

/** Checks that only the platform's adapter can do. */
function requireAccepted(platform: string, text: string, field: string) {
  const adapter: Platform | null = platformFor(platform);
  const [issue] = adapter?.validateComment?.(text) ?? [];
  if (issue) throw new Problem('first_comment_invalid', { error: issue.message, field, platform });
}

function tooLong(platform: string, { limit, count, unit }: Excess, field: string): Problem {
  const error = `First comment is too long for ${platform}: ${count} ${unit}, limit ${limit}`;
  return new Problem('first_comment_too_long', { error, field, platform, limit, count, unit });
}

function warningsOf(notTargeted: string[], unsupported: string[]): FirstCommentWarning[] {
  const warnings: FirstCommentWarning[] = [
    {
      code: 'FIRST_COMMENT_PLATFORM_NOT_TARGETED',
      message: `First comments name platforms that the post does not target; they are ignored: ${notTargeted.join(', ')}`,
      platforms: notTargeted,
    },
    {
      code: 'FIRST_COMMENT_UNSUPPORTED_PLATFORMS',
      message: `First comments are not supported on some targets; they are skipped: ${unsupported.join(', ')}`,
      platforms: unsupported,
    },
  ];
  return warnings.filter(({ platforms }) => platforms.length > 0);
}

const commentName = (field: FirstCommentsField, index: number): string =>
  field === 'firstComment' ? field : `${field}[${index}]`;
