import { asText } from '../../../http/coerce.ts';
import { isObject, type Json, type JsonObject } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import { isAudited } from '../accounts.ts';
import { refuse } from '../errors.ts';

export const privacies = ['public', 'unlisted', 'private'];
const licenses = ['youtube', 'creativeCommon'];
const statusFlags = ['embeddable', 'publicStatsViewable', 'selfDeclaredMadeForKids', 'containsSyntheticMedia'];
const maxTitle = 100;
const maxDescriptionBytes = 5000;
const maxTags = 500;
/** The categories that YouTube lets an upload choose. */
const categoryIds = ['1', '2', '10', '15', '17', '19', '20', '22', '23', '24', '25', '26', '27', '28', '29'];

/** The metadata that the uploader provides. */
export interface Metadata {
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly categoryId: string;
  readonly defaultLanguage: string | null;
  readonly defaultAudioLanguage: string | null;
  readonly privacy: string;
  /** When a private video becomes public automatically. */
  readonly publishAt: number | null;
  readonly license: string;
  readonly embeddable: boolean;
  readonly publicStatsViewable: boolean;
  /** Null when the owner did not declare it. */
  readonly madeForKids: boolean | null;
  readonly hasSyntheticMedia: boolean;
  readonly isPaidPlacement: boolean;
}

const videoParts = ['snippet', 'status', 'recordingDetails', 'localizations', 'paidProductPlacementDetails'];

/** A part of the body that `part` does not name is an error. */
export function checkParts(body: JsonObject, parts: readonly string[]): void {
  const unexpected = videoParts.find((name) => body[name] !== undefined && !parts.includes(name));
  if (unexpected !== undefined) refuse('unexpectedPart', { message: `'${unexpected}'`, location: 'part' });
}

export function readMetadata(call: Call, account: Account): Metadata {
  const { fields } = call.body;
  const paid = objectIn(fields, 'paidProductPlacementDetails');
  return {
    ...readSnippet(objectIn(fields, 'snippet')),
    ...readStatus(call, account, objectIn(fields, 'status')),
    isPaidPlacement: paid.hasPaidProductPlacement === true,
  };
}

export function objectIn(fields: JsonObject, name: string): JsonObject {
  const value = fields[name];
  return isObject(value) ? value : {};
}

function readSnippet(snippet: JsonObject) {
  const { title, description = '', tags = [], categoryId = '22' } = snippet;
  const isTitle = typeof title === 'string' && title.trim() !== '' && Array.from(title).length <= maxTitle;
  if (!isTitle || /[<>]/.test(title)) refuse('invalidTitle', { location: 'body.snippet.title' });
  const isDescription = typeof description === 'string' && Buffer.byteLength(description) <= maxDescriptionBytes;
  if (!isDescription || /[<>]/.test(description)) {
    refuse('invalidDescription', { location: 'body.snippet.description' });
  }
  if (typeof categoryId !== 'string' || !categoryIds.includes(categoryId)) {
    refuse('invalidCategoryId', { location: 'body.snippet.categoryId' });
  }
  return {
    title,
    description,
    tags: readTags(tags),
    categoryId,
    defaultLanguage: asText(snippet.defaultLanguage) || null,
    defaultAudioLanguage: asText(snippet.defaultAudioLanguage) || null,
  };
}

function readStatus(call: Call, account: Account, status: JsonObject) {
  const { privacyStatus = 'public', license = 'youtube' } = status;
  const isWrong = statusFlags.some((name) => status[name] !== undefined && typeof status[name] !== 'boolean');
  const isKnown = privacies.includes(asText(privacyStatus)) && licenses.includes(asText(license));
  if (isWrong || !isKnown) refuse('invalidVideoMetadata', { location: 'body.status' });
  return {
    // Google accepts uploads of an unaudited app but locks them as private.
    ...(isAudited(account) ? readPrivacy(call, status) : { privacy: 'private', publishAt: null }),
    license: asText(license),
    embeddable: status.embeddable !== false,
    publicStatsViewable: status.publicStatsViewable !== false,
    madeForKids: typeof status.selfDeclaredMadeForKids === 'boolean' ? status.selfDeclaredMadeForKids : null,
    hasSyntheticMedia: status.containsSyntheticMedia === true,
  };
}

/** The limit counts the commas between tags, and quotes around tags with a space. */
function readTags(tags: Json): string[] {
  const isList = Array.isArray(tags) && tags.every((tag) => typeof tag === 'string' && !/[<>]/.test(tag));
  if (!isList) refuse('invalidTags', { location: 'body.snippet.tags' });
  const given = tags.map(asText).filter(Boolean);
  const length = given.reduce((sum, tag) => sum + tag.length + (/\s/.test(tag) ? 2 : 0), given.length - 1);
  if (length > maxTags) refuse('invalidTags', { location: 'body.snippet.tags' });
  return given;
}

/** Only a private video can be scheduled. A time in the past publishes it immediately. */
function readPrivacy(call: Call, status: JsonObject): { privacy: string; publishAt: number | null } {
  const privacy = asText(status.privacyStatus) || 'public';
  if (status.publishAt === undefined || status.publishAt === null) return { privacy, publishAt: null };
  const publishAt = Date.parse(asText(status.publishAt));
  if (privacy !== 'private' || Number.isNaN(publishAt)) {
    refuse('invalidPublishAt', { location: 'body.status.publishAt' });
  }
  return publishAt <= call.sandbox.now() ? { privacy: 'public', publishAt: null } : { privacy, publishAt };
}
