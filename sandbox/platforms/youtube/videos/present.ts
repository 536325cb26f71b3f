import type { Sandbox } from '../../../platform.ts';
import { imageHost } from '../hosts.ts';
import { resource } from '../resources.ts';
import { isBroken, postOf, privacyOf, type Video } from './videos.ts';

export const videoParts = [
  'snippet',
  'status',
  'contentDetails',
  'statistics',
  'processingDetails',
  'paidProductPlacementDetails',
  'player',
];

const sizes = [
  ['default', 'default', 120, 90],
  ['medium', 'mqdefault', 320, 180],
  ['high', 'hqdefault', 480, 360],
  ['standard', 'sddefault', 640, 480],
  ['maxres', 'maxresdefault', 1280, 720],
] as const;

export function presentVideo(sandbox: Sandbox, video: Video, parts: readonly string[]) {
  return resource('video', video.id, parts, {
    snippet: () => presentSnippet(sandbox, video),
    status: () => presentStatus(sandbox, video),
    contentDetails: () => ({
      duration: `PT${Math.round(video.seconds ?? 0)}S`,
      dimension: '2d',
      definition: 'hd',
      caption: 'false',
      licensedContent: false,
      projection: 'rectangular',
    }),
    statistics: () => presentStatistics(sandbox, video),
    processingDetails: () => presentProcessing(sandbox, video),
    paidProductPlacementDetails: () => ({ hasPaidProductPlacement: video.metadata.isPaidPlacement }),
    player: () => ({ embedHtml: `<iframe src="//www.youtube.com/embed/${video.id}"></iframe>` }),
  });
}

export function presentSnippet(sandbox: Sandbox, { id, accountId, metadata, uploadedAt }: Video) {
  const { title, description, tags, categoryId, defaultLanguage, defaultAudioLanguage } = metadata;
  return {
    publishedAt: new Date(uploadedAt).toISOString(),
    channelId: accountId,
    title,
    description,
    thumbnails: thumbnailsOf(id),
    channelTitle: sandbox.store.accounts.find('youtube', accountId)?.displayName ?? '',
    ...(tags.length > 0 && { tags }),
    categoryId,
    liveBroadcastContent: 'none',
    ...(defaultLanguage !== null && { defaultLanguage }),
    localized: { title, description },
    ...(defaultAudioLanguage !== null && { defaultAudioLanguage }),
  };
}

export function thumbnailsOf(videoId: string) {
  return Object.fromEntries(
    sizes.map(([name, file, width, height]) => {
      return [name, { url: `https://${imageHost}/vi/${videoId}/${file}.jpg`, width, height }];
    }),
  );
}

function presentStatus(sandbox: Sandbox, video: Video) {
  const { metadata, failureReason, rejectionReason, readyAt } = video;
  const { publishAt, license, embeddable, publicStatsViewable, madeForKids, hasSyntheticMedia } = metadata;
  const isDone = readyAt <= sandbox.now();
  const isWaiting = publishAt !== null && publishAt > sandbox.now();
  return {
    uploadStatus: isDone ? outcomeOf(video) : 'uploaded',
    ...(isDone && failureReason !== null && { failureReason }),
    ...(isDone && rejectionReason !== null && { rejectionReason }),
    privacyStatus: privacyOf(sandbox, video),
    ...(isWaiting && { publishAt: new Date(publishAt).toISOString() }),
    license,
    embeddable,
    publicStatsViewable,
    madeForKids: madeForKids ?? false,
    ...(madeForKids !== null && { selfDeclaredMadeForKids: madeForKids }),
    containsSyntheticMedia: hasSyntheticMedia,
  };
}

function outcomeOf({ failureReason, rejectionReason }: Video): string {
  if (failureReason !== null) return 'failed';
  return rejectionReason === null ? 'processed' : 'rejected';
}

function presentProcessing(sandbox: Sandbox, video: Video) {
  if (video.readyAt > sandbox.now()) return { processingStatus: 'processing' };
  return { processingStatus: isBroken(video) ? 'failed' : 'succeeded' };
}

/** Counts are strings. Hidden and impossible counts are left out. */
function presentStatistics(sandbox: Sandbox, video: Video) {
  const post = postOf(sandbox, video);
  const { reactions, posts } = sandbox.store;
  const { publicStatsViewable, madeForKids } = video.metadata;
  return {
    viewCount: '0',
    ...(publicStatsViewable && { likeCount: String((post && reactions.counts(post).like) ?? 0) }),
    favoriteCount: '0',
    ...(madeForKids !== true && { commentCount: String(post ? posts.replyCount(post) : 0) }),
  };
}
