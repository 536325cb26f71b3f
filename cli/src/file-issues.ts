import { basename } from 'node:path';
import type { PlatformLimits, ValidationIssue } from '@crier/client';
import type { LocalFile } from './local-files.ts';

type Kind = 'image' | 'video' | 'document';

/** The errors and warnings of one network for files that are not uploaded yet, in the service's format. */
export function fileIssues(limits: PlatformLimits, files: readonly LocalFile[]): ValidationIssue[] {
  const unknown = files
    .filter(({ type }) => type === null)
    .map(({ file }) =>
      issueOf(limits, 'MEDIA_TYPE_NOT_SUPPORTED', `${basename(file)} is not an image, a video or a PDF`),
    );
  const byKind = Map.groupBy(
    files.filter(({ type }) => type !== null),
    kindOf,
  );
  return [...unknown, ...[...byKind].flatMap(([kind, ofKind]) => issuesOfKind(limits, kind, ofKind))];
}

export const isVideo = ({ type }: LocalFile) => type?.startsWith('video/') ?? false;

/** For example `photo.png (image/png, 2.4 MB)`. */
export const describeFile = ({ file, type, bytes }: LocalFile) => `${basename(file)} (${type ?? '?'}, ${size(bytes)})`;

function kindOf({ type }: LocalFile): Kind {
  if (type === 'application/pdf') return 'document';
  return type?.startsWith('video/') ? 'video' : 'image';
}

function issuesOfKind(limits: PlatformLimits, kind: Kind, files: readonly LocalFile[]): ValidationIssue[] {
  const allowed = { image: limits.images, video: limits.videos, document: limits.documents }[kind];
  const { displayName } = limits;
  if (!allowed?.supported) {
    return [issueOf(limits, 'MEDIA_TYPE_NOT_SUPPORTED', `${displayName} does not accept ${kind}s`)];
  }
  const { maxCount, maxSizeBytes, formats } = allowed;
  const many = `${displayName} allows at most ${maxCount} ${kind}${maxCount === 1 ? '' : 's'} per post (currently ${files.length})`;
  return [
    ...(files.length > maxCount ? [issueOf(limits, 'MEDIA_COUNT_EXCEEDED', many)] : []),
    ...files
      .filter(({ type }) => !formats.includes(type ?? ''))
      .map((file) => {
        const use = `Use ${formats.map((format) => format.replace(/^\w+\//, '')).join(', ')}`;
        const message = `${describeFile(file)} has a format that ${displayName} does not accept`;
        return { ...issueOf(limits, 'MEDIA_TYPE_NOT_SUPPORTED', message), suggestions: [use] };
      }),
    ...files.filter(({ bytes }) => bytes > maxSizeBytes).map((file) => tooLarge(limits, file, maxSizeBytes)),
  ];
}

/** The service shrinks still images. It does not change videos and documents. */
function tooLarge(limits: PlatformLimits, file: LocalFile, max: number): ValidationIssue {
  const about = `${describeFile(file)} is larger than the ${size(max)} limit of ${limits.displayName}`;
  const isShrunk = /^image\/(jpeg|png|webp|tiff|avif|gif)$/.test(file.type ?? '');
  if (!isShrunk) return issueOf(limits, 'MEDIA_SIZE_EXCEEDED', about);
  const then = file.type === 'image/gif' ? 'it will be resized unless it is animated' : 'it will be resized';
  return { ...issueOf(limits, 'MEDIA_SIZE_EXCEEDED', `${about}: ${then}`), severity: 'warning' };
}

const issueOf = ({ platform }: PlatformLimits, code: string, message: string): ValidationIssue => ({
  platform,
  code,
  message,
  field: 'media',
  severity: 'error',
});

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${Number(value.toFixed(value < 10 ? 1 : 0))} ${unit}`;
}
