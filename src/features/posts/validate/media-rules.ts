import { type PlanKey, plans } from '../../../config/plans.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import { textLength } from '../../../foundation/text/length.ts';
import type { ImageLimit, Limits, Range, VideoKind, VideoLimit } from '../../../platforms/kit/limits.ts';
import { videoKindOf } from '../../../platforms/settings.ts';
import { isShrinkable, type MediaRecord } from '../../files/files.ts';
import type { Target } from '../create/find-targets.ts';
import { issueFor, type ValidationIssue } from './issue.ts';

/** A file with the properties found by inspection. */
export type PostMedia = Pick<MediaRecord, 'type' | 'mimeType' | 'metadata'> & Partial<Pick<MediaRecord, 'altText'>>;

export interface PostWithMedia {
  media: readonly PostMedia[];
  settings: Record<string, Json>;
  plan: PlanKey;
  client: string;
}

/** The issues of a target's files. */
export function mediaIssues(target: Target, post: PostWithMedia): ValidationIssue[] {
  const images = post.media.filter(({ type }) => type === 'image');
  const videos = post.media.filter(({ type }) => type === 'video');
  const documents = post.media.filter(({ type }) => type === 'document');
  const kind = videoKindOf(post.settings, target.connection.platform, { mediaCount: post.media.length });
  return [
    ...requiredIssues(target, post, videos),
    ...mixingIssues(target, images, videos, documents),
    ...imageIssues(target, images, kind),
    ...videoIssues(target, videos, post, kind),
    ...documentIssues(target, documents),
    ...altTextIssues(target, post),
  ];
}

/** A platform ignores the alt text of file types that do not support it. */
export function altTextIssues(
  { description: { name }, limits, connection }: Target,
  { media, client }: Pick<PostWithMedia, 'media' | 'client'>,
): ValidationIssue[] {
  const { max, kinds } = limits.altText ?? { max: 0, kinds: [] };
  return media.flatMap(({ type, altText }, index) => {
    const length = textLength(altText ?? '', 'codepoint');
    if (length <= max || !kinds.some((kind) => kind === type)) return [];
    const message = `Alt text of file ${index + 1} exceeds ${name}'s ${max} character limit (currently ${length})`;
    const how = client === 'mcp' ? 'Call update_media' : 'Call PATCH /media/{mediaId}';
    return issueFor(connection.platform)('ALT_TEXT_TOO_LONG', message, 'altText', {
      constraint: 'maxLength',
      currentValue: length,
      maxValue: max,
      suggestions: [`Shorten the alt text to ${max} characters. ${how} to change the alt text of an uploaded file`],
    });
  });
}

function requiredIssues(
  { description, limits, connection }: Target,
  post: PostWithMedia,
  videos: readonly PostMedia[],
) {
  const issue = issueFor(connection.platform);
  if (limits.videoRequired && videos.length === 0) {
    const suggestions = ['Upload a video for this platform', uploadAdvice(post.client)];
    return [issue('VIDEO_REQUIRED', `${description.name} requires a video`, 'video', { suggestions })];
  }
  if (limits.mediaRequired && post.media.length === 0) {
    const suggestions = ['Upload an image or video for this platform', uploadAdvice(post.client)];
    return [issue('MEDIA_REQUIRED', `${description.name} posts require media`, 'media', { suggestions })];
  }
  return [];
}

function mixingIssues(
  { description, limits, connection }: Target,
  images: readonly PostMedia[],
  videos: readonly PostMedia[],
  documents: readonly PostMedia[],
) {
  const kinds = [images.length > 0 && 'images', videos.length > 0 && 'videos', documents.length > 0 && 'documents'];
  const present = kinds.filter((kind) => kind !== false);
  const mixes = present.length > 1 && !(limits.mixed && documents.length === 0);
  if (!mixes) return [];
  const message = `${capital(present.join(' and '))} cannot be mixed in one post on ${description.name}`;
  return [issueFor(connection.platform)('MEDIA_TYPE_NOT_SUPPORTED', message, 'media')];
}

function imageIssues(
  { description: { name }, limits, connection }: Target,
  images: readonly PostMedia[],
  kind: VideoKind,
) {
  const issue = issueFor(connection.platform);
  if (images.length === 0) return [];
  if (!limits.images) return [issue('IMAGES_NOT_SUPPORTED', `${name} does not support image posts`, 'media')];
  const { max, types, maxPixels, maxSides, maxRatio, aspect: feedAspect, storyAspect = feedAspect } = limits.images;
  const aspect = kind === 'stories' ? storyAspect : feedAspect;
  const maxBytes = (image: PostMedia) => maxBytesOf(limits.images!, image, images.length);
  return [
    ...countIssue(issue, name, 'image', images.length, max),
    ...images.flatMap(({ type, mimeType, metadata }) => [
      ...(types.includes(mimeType) ? [] : [wrongFormat(issue, name, 'Image', mimeType, 'imageFormat', types)]),
      // An image that is too large is resized when it is published.
      ...(isShrinkable({ type, mimeType, metadata })
        ? []
        : [
            ...sizeIssue(
              issue,
              name,
              'Image',
              metadata?.size ?? 0,
              maxBytes({ type, mimeType, metadata }),
              'imageSize',
            ),
            ...sidesIssue(issue, name, metadata, maxSides),
          ]),
      ...pixelIssue(issue, name, metadata, maxPixels),
      ...aspectIssue(issue, name, 'Image', metadata?.aspectRatio ?? null, aspect ?? null),
      ...ratioIssue(issue, name, metadata?.aspectRatio ?? null, maxRatio),
    ]),
  ];
}

/** A platform may accept a larger animation if it is the only file. */
function maxBytesOf({ maxBytes, animation }: ImageLimit, { mimeType, metadata }: PostMedia, count: number): number {
  const isAnimation = mimeType === animation?.type && (metadata?.frames ?? 1) > 1;
  return isAnimation && count === 1 ? animation.maxBytes : maxBytes;
}

function videoIssues(target: Target, videos: readonly PostMedia[], post: PostWithMedia, kind: VideoKind) {
  const { description, limits, connection } = target;
  const [issue, { name }] = [issueFor(connection.platform), description];
  if (videos.length === 0 || !limits.video) return [];
  const { max, types, maxBytes, aspect, framesPerSecond } = { ...limits.video, ...limits.video.variants?.[kind] };
  return [
    ...countIssue(issue, name, 'video', videos.length, max),
    ...videos.flatMap(({ mimeType, metadata }) => [
      ...(types.includes(mimeType) ? [] : [wrongFormat(issue, name, 'Video', mimeType, 'video', types)]),
      ...sizeIssue(issue, name, 'Video', metadata?.size ?? 0, maxBytes, 'videoSize'),
      ...planIssue(issue, post.plan, metadata?.size ?? 0),
      ...durationIssues(issue, name, metadata?.duration ?? null, limits.video!, kind),
      ...aspectIssue(issue, name, 'Video', metadata?.aspectRatio ?? null, aspect),
      ...frameRateIssue(issue, name, metadata?.frameRate ?? null, framesPerSecond),
    ]),
  ];
}

function documentIssues({ description: { name }, limits, connection }: Target, documents: readonly PostMedia[]) {
  const issue = issueFor(connection.platform);
  if (documents.length === 0) return [];
  if (!limits.documents) return [issue('DOCUMENTS_NOT_SUPPORTED', `${name} does not support documents`, 'media')];
  const { max, maxBytes, maxPages } = limits.documents;
  const tooManyPages = (pages: number) =>
    issue('MEDIA_SIZE_EXCEEDED', `Document (${pages} pages) exceeds ${name}'s ${maxPages} page limit`, 'media', {
      constraint: 'maxCount',
      currentValue: pages,
      maxValue: maxPages,
    });
  return [
    ...countIssue(issue, name, 'document', documents.length, max),
    ...documents.flatMap(({ metadata }) => [
      ...sizeIssue(issue, name, 'Document', metadata?.size ?? 0, maxBytes, 'media'),
      ...((metadata?.pages ?? 0) > maxPages ? [tooManyPages(metadata!.pages!)] : []),
    ]),
  ];
}

type IssueFor = ReturnType<typeof issueFor>;

function countIssue(issue: IssueFor, name: string, what: string, count: number, max: number) {
  if (count <= max) return [];
  const message = `${name} allows at most ${max} ${what}${max === 1 ? '' : 's'} per post (currently ${count})`;
  return [
    issue('MEDIA_COUNT_EXCEEDED', message, 'media', { constraint: 'maxCount', currentValue: count, maxValue: max }),
  ];
}

function wrongFormat(
  issue: IssueFor,
  name: string,
  what: string,
  type: string,
  field: string,
  types: readonly string[],
) {
  const message = `${what} format "${type}" is not supported on ${name}`;
  const suggestions = [`Use ${types.map((known) => known.replace(/^\w+\//, '')).join(', ')}`];
  return issue('MEDIA_TYPE_NOT_SUPPORTED', message, field, {
    constraint: 'requiredType',
    currentValue: type,
    suggestions,
  });
}

function sizeIssue(issue: IssueFor, name: string, what: string, bytes: number, max: number, field: string) {
  if (bytes <= max) return [];
  const message = `${what} (${megabytes(bytes)}) exceeds ${name}'s ${megabytes(max)} limit`;
  return [issue('MEDIA_SIZE_EXCEEDED', message, field, { constraint: 'maxSize', currentValue: bytes, maxValue: max })];
}

function planIssue(issue: IssueFor, plan: PlanKey, bytes: number) {
  const { name, maxVideoBytes } = plans[plan];
  if (maxVideoBytes === null || bytes <= maxVideoBytes) return [];
  const message = `Video (${megabytes(bytes)}) exceeds the ${megabytes(maxVideoBytes)} limit of the ${name} plan`;
  const numbers = { constraint: 'maxSize', currentValue: bytes, maxValue: maxVideoBytes };
  return [issue('MEDIA_SIZE_EXCEEDED', message, 'videoSize', numbers)];
}

function pixelIssue(issue: IssueFor, name: string, metadata: PostMedia['metadata'], max = Number.POSITIVE_INFINITY) {
  const { width, height } = metadata ?? {};
  const pixels = (width ?? 0) * (height ?? 0);
  if (pixels <= max) return [];
  const message = `Image (${width}x${height}, ${pixels} pixels) exceeds ${name}'s ${max} pixel limit`;
  return [
    issue('MEDIA_DIMENSIONS_INVALID', message, 'media', {
      constraint: 'maxSize',
      currentValue: pixels,
      maxValue: max,
    }),
  ];
}

function sidesIssue(issue: IssueFor, name: string, metadata: PostMedia['metadata'], max = Number.POSITIVE_INFINITY) {
  const { width, height } = metadata ?? {};
  const sides = (width ?? 0) + (height ?? 0);
  if (sides <= max) return [];
  const message = `Image (${width}x${height}) exceeds ${name}'s limit of ${max} pixels for width and height together`;
  const numbers = { constraint: 'maxSize', currentValue: sides, maxValue: max };
  return [issue('MEDIA_DIMENSIONS_INVALID', message, 'media', numbers)];
}

function ratioIssue(issue: IssueFor, name: string, ratio: number | null, max = Number.POSITIVE_INFINITY) {
  if (ratio === null || Math.max(ratio, 1 / ratio) <= max) return [];
  const message = `Image aspect ratio (${ratio.toFixed(2)}) is outside ${name}'s range of 1:${max} to ${max}:1`;
  const numbers = { currentValue: ratio, minValue: 1 / max, maxValue: max };
  return [issue('MEDIA_ASPECT_RATIO_INVALID', message, 'media', numbers)];
}

function aspectIssue(
  issue: IssueFor,
  name: string,
  what: string,
  ratio: number | null,
  range: NonNullable<Limits['images']>['aspect'] | null,
) {
  if (ratio === null || !range) return [];
  // An image cropped to 4:5 may be off by a pixel.
  const slack = 0.01;
  if (ratio >= range.min - slack && ratio <= range.max + slack) return [];
  const [shown, min, max] = [ratio, range.min, range.max].map((number) => number.toFixed(2));
  const message = `${what} aspect ratio (${shown}) is outside ${name}'s range of ${min} to ${max}`;
  const numbers = { currentValue: ratio, minValue: range.min, maxValue: range.max };
  return [issue('MEDIA_ASPECT_RATIO_INVALID', message, 'media', numbers)];
}

function durationIssues(issue: IssueFor, name: string, seconds: number | null, limit: VideoLimit, kind: VideoKind) {
  if (seconds === null) return [];
  const { maxSeconds, minSeconds = limit.minSeconds } = limit.variants?.[kind] ?? limit;
  const label = kind === 'carousel' || kind === 'stories' ? ` ${kind}` : '';
  if (seconds > maxSeconds) {
    const message = `Video duration (${duration(seconds)}) exceeds ${name}'s ${duration(maxSeconds)}${label} limit`;
    const numbers = { constraint: 'maxDuration', currentValue: seconds, maxValue: maxSeconds };
    return [issue('VIDEO_DURATION_EXCEEDED', message, 'videoDuration', numbers)];
  }
  if (minSeconds === null || seconds >= minSeconds) return [];
  const message = `Video duration (${duration(seconds)}) is shorter than ${name}'s ${duration(minSeconds)} minimum`;
  return [issue('VIDEO_DURATION_TOO_SHORT', message, 'videoDuration', { currentValue: seconds, minValue: minSeconds })];
}

function frameRateIssue(issue: IssueFor, name: string, rate: number | null, range?: Range) {
  if (rate === null || !range) return [];
  const shown = `Video frame rate (${Number(rate.toFixed(2))} fps)`;
  if (rate < range.min) {
    const message = `${shown} is below ${name}'s ${range.min} fps minimum`;
    return [issue('VIDEO_FRAME_RATE_TOO_LOW', message, 'video', { currentValue: rate, minValue: range.min })];
  }
  // Files report 60.02 instead of 60, because their timestamps are rounded.
  if (Math.round(rate) <= range.max) return [];
  const message = `${shown} exceeds ${name}'s ${range.max} fps limit`;
  return [issue('VIDEO_FRAME_RATE_TOO_HIGH', message, 'video', { currentValue: rate, maxValue: range.max })];
}

const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)}MB`;

/** `Xm Ys`, or `Ns` with one decimal up to and including a minute. */
function duration(seconds: number): string {
  if (seconds <= 60) return `${Number(seconds.toFixed(1))}s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}m ${whole % 60}s`;
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

const uploadAdvice = (client: string) =>
  client === 'mcp'
    ? 'Create a draft, call get_upload_url, upload the file, then call update_post with status scheduled'
    : 'Create a draft, call POST /get-upload-url, PUT the file, then call PUT /update-post with status scheduled';
