import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import { refuse } from './errors.ts';
import { authenticateChannel } from './sign-in/authenticate.ts';
import { measuring } from './sign-in/scopes.ts';
import { postOf, type Video, videosOf } from './videos/videos.ts';

const metrics = [
  'views',
  'estimatedMinutesWatched',
  'averageViewDuration',
  'likes',
  'comments',
  'shares',
  'subscribersGained',
];
const dimensions = ['day', 'video'];
const day = /^\d{4}-\d\d-\d\d$/;

/** All engagement counts on the day of the upload. */
export function reports(call: Call): HttpResponse {
  const account = authenticateChannel(call, measuring);
  const { query } = call;
  if (query.get('ids') !== 'channel==MINE' && query.get('ids') !== `channel==${account.id}`) {
    refuse('invalidParameter', { location: 'ids' });
  }
  const [start, end] = ['startDate', 'endDate'].map((name) => readDay(call, name)) as [string, string];
  const asked = readNames(call, 'metrics', metrics);
  if (asked.length === 0) refuse('required', { message: 'Required parameter: metrics', location: 'metrics' });
  const [dimension] = readNames(call, 'dimensions', dimensions);
  const [, only] = /^video==([\w-]+)$/.exec(query.get('filters') ?? '') ?? [];
  const videos = videosOf(call.sandbox, account.id).filter(
    (video) => isBetween(dayOf(video), start, end) && (only === undefined || video.id === only),
  );
  const groups = Object.groupBy(videos, (video) => groupOf(video, dimension));
  const rows = Object.entries(groups).map(([name, members = []]) => [
    ...(dimension === undefined ? [] : [name]),
    ...asked.map((metric) => members.reduce((sum, video) => sum + measure(call, video, metric), 0)),
  ]);
  return json({ kind: 'youtubeAnalytics#resultTable', columnHeaders: headers(dimension, asked), rows });
}

function readDay(call: Call, name: string): string {
  const value = call.query.get(name) ?? '';
  if (!day.test(value)) refuse('invalidParameter', { location: name });
  return value;
}

function readNames(call: Call, parameter: string, known: readonly string[]): string[] {
  const names = (call.query.get(parameter) ?? '').split(',').filter(Boolean);
  if (names.some((name) => !known.includes(name))) refuse('invalidParameter', { location: parameter });
  return names;
}

function headers(dimension: string | undefined, asked: readonly string[]) {
  const first = dimension === undefined ? [] : [{ name: dimension, columnType: 'DIMENSION', dataType: 'STRING' }];
  return [...first, ...asked.map((name) => ({ name, columnType: 'METRIC', dataType: 'INTEGER' }))];
}

function groupOf(video: Video, dimension: string | undefined): string {
  if (dimension === 'video') return video.id;
  return dimension === 'day' ? dayOf(video) : '';
}

function measure(call: Call, video: Video, metric: string): number {
  const post = postOf(call.sandbox, video);
  const { reactions, posts } = call.sandbox.store;
  if (!post) return 0;
  if (metric === 'likes') return reactions.counts(post).like ?? 0;
  return metric === 'comments' ? posts.replyCount(post) : 0;
}

function dayOf({ uploadedAt }: Video): string {
  return new Date(uploadedAt).toISOString().slice(0, 10);
}

function isBetween(value: string, start: string, end: string): boolean {
  return value >= start && value <= end;
}
