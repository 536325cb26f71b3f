import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { linkedinLimits } from '../../../foundation/errors/linkedin.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { recheckWhenSlow } from '../../auth/api-keys/live-credential.ts';
import type { ActingApp } from '../../connections/credentials/act-as-account.ts';
import { actAsLinkedIn, actions, linkedinConnection } from '../../insights/linkedin/act-as-linkedin.ts';
import {
  type Input,
  isEmpty,
  isMissing,
  readAccountId,
  readPostUrn,
  readString,
} from '../../insights/linkedin/input.ts';
import { collectMentionables } from './collect-mentionables.ts';
import { fetchCommentImage } from './comment-image.ts';
import { idWarning } from './id-warning.ts';

/** contract.md#linkedin-comments */
export async function createComment(app: ActingApp & Pick<App, 'egress'>, who: Who, input: Input) {
  const { accountId, on, message, parent, imageUrl } = readComment(input);
  const connection = await linkedinConnection(app, who.userId, accountId);
  const recheck = recheckWhenSlow(app, who);
  await using file = imageUrl === '' ? null : await fetchCommentImage(app, who, imageUrl);
  // Access may have been revoked while the image was fetched, and later while it was uploaded.
  await recheck(app.db);
  const failure = 'linkedin_comment_failed';
  // A separate call, so that a comment whose credentials must be renewed does not upload the image twice.
  const image = file
    ? await actAsLinkedIn(app, connection, { failure }, (ctx) => actions.uploadImage(file.blob, ctx))
    : null;
  await recheck(app.db);
  const comment = await actAsLinkedIn(app, connection, { failure }, (ctx) =>
    actions.comment({ on, message, parent, image }, ctx),
  );
  collectMentionables(app, who, connection, on);
  const shown = { ...comment, ...(image && { imageUrn: image }) };
  return { success: true as const, comment: shown, ...idWarning(comment.commentUrn) };
}

/** contract.md#linkedin-comments.delete */
export async function deleteComment(app: ActingApp, who: Who, { postedId, commentId, platformId }: Input) {
  if (isEmpty(postedId) || isEmpty(commentId) || isMissing(platformId)) {
    throw new Problem('linkedin_comment_delete_fields_missing');
  }
  const accountId = readAccountId(platformId);
  const on = readPostUrn(postedId);
  const named = readString(commentId, 'linkedin_comment_id_invalid');
  const number = /^\d+$/.test(named) ? named : (commentIn(named)?.number ?? null);
  if (!number) throw new Problem('linkedin_comment_id_invalid');
  const connection = await linkedinConnection(app, who.userId, accountId);
  await actAsLinkedIn(app, connection, { failure: 'linkedin_comment_delete_failed' }, (ctx) =>
    actions.removeComment({ on, commentId: number }, ctx),
  );
  return { success: true as const, deleted: named };
}

function readComment({ postedId, message, platformId, parentComment, imageUrl }: Input) {
  if (isEmpty(postedId) || isMissing(message) || isMissing(platformId)) {
    throw new Problem('linkedin_comment_fields_missing');
  }
  const accountId = readAccountId(platformId);
  const on = readPostUrn(postedId);
  const text = readString(message, 'linkedin_message_not_string');
  const address = isMissing(imageUrl) ? '' : readString(imageUrl, 'linkedin_image_url_not_string').trim();
  if (text.trim() === '' && address === '') throw new Problem('linkedin_message_empty');
  if (text.length > linkedinLimits.sentCommentLength) throw new Problem('linkedin_message_too_long');
  if (actions.hasWebProfileMention(text)) throw new Problem('linkedin_mention_unrenderable');
  const converted = actions.plainMessage(text);
  if (converted.text.length > linkedinLimits.commentLength) throw new Problem('linkedin_comment_too_long');
  return { accountId, on, message: converted, parent: readParent(parentComment), imageUrl: address };
}

function readParent(parentComment: unknown): string | null {
  if (isEmpty(parentComment)) return null;
  const comment = commentIn(readString(parentComment, 'linkedin_parent_comment_invalid'));
  if (!comment) throw new Problem('linkedin_parent_comment_invalid');
  return comment.urn;
}

/** `urn:li:comment:(urn:li:activity:1,2)` is comment 2 under activity 1. LinkedIn's links have `(activity:1,2)`. */
function commentIn(given: string): { urn: string; number: string } | null {
  const [, thread, number] = /^urn:li:comment:\((?:urn:li:)?(\w+:\d+),(\d+)\)$/.exec(given) ?? [];
  return thread && number ? { urn: `urn:li:comment:(urn:li:${thread},${number})`, number } : null;
}
