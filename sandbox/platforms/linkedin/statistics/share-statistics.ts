import { type HttpResponse, json } from '../../../http/http-response.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { Post } from '../../../store/posts.ts';
import { type Engagement, engagementOf, reachOf } from '../engagement/engagement.ts';
import { invalidParameter } from '../errors.ts';
import { isPostUrn } from '../posts/posts.ts';
import { readList } from '../rest-li/rest-li.ts';
import { urnOf } from '../rest-li/urn.ts';
import { authenticate, requirePage } from '../sign-in/authenticate.ts';
import { pageAdministration, pageReading } from '../sign-in/scopes.ts';
import { contains, readIntervals, type Span } from './dates.ts';

const resource = 'organizationalEntityShareStatistics.FINDER-organizationalEntity';

/** Statistics of the whole page or of single posts. Posts without engagement are left out. */
export function shareStatistics(call: Call): HttpResponse {
  const caller = authenticate(call);
  if (call.query.get('q') !== 'organizationalEntity') invalidParameter('q');
  const urn = call.query.get('organizationalEntity') ?? '';
  const page = requirePage(call, caller, urn, [...pageAdministration, ...pageReading], resource);
  const asked = [...named(call, 'shares', 'share'), ...named(call, 'ugcPosts', 'ugcPost')];
  const isByPost = call.query.has('shares') || call.query.has('ugcPosts');
  const spans = readIntervals(call) ?? [undefined];
  const elements = spans.flatMap((span) => (isByPost ? ofPosts(call, page, asked, span) : [ofPage(call, page, span)]));
  return json({ paging: { start: 0, count: elements.length, links: [] }, elements });
}

interface Named {
  readonly key: 'share' | 'ugcPost';
  readonly urn: string;
}

function named(call: Call, parameter: string, key: Named['key']): Named[] {
  const urns = readList(call, parameter) ?? [];
  if (!urns.every(isPostUrn)) invalidParameter(parameter);
  return urns.map((urn) => ({ key, urn }));
}

function ofPosts(call: Call, page: Account, asked: readonly Named[], span: Span | undefined) {
  return asked.flatMap(({ key, urn }) => {
    const post = call.sandbox.store.posts.find('linkedin', urn);
    if (!post || post.accountId !== page.id || !isWithin(post, span)) return [];
    const engagement = engagementOf(call, post);
    return isQuiet(engagement) ? [] : [{ [key]: urn, ...present(page, engagement, span) }];
  });
}

function ofPage(call: Call, page: Account, span: Span | undefined) {
  const posts = call.sandbox.store.posts.ofAccount('linkedin', page.id);
  const counted = posts.filter((post) => isPostUrn(post.id) && isWithin(post, span));
  const sum = counted
    .map((post) => engagementOf(call, post))
    .reduce(
      (one, other) => ({
        reactions: one.reactions + other.reactions,
        comments: one.comments + other.comments,
        reshares: one.reshares + other.reshares,
      }),
      { reactions: 0, comments: 0, reshares: 0 },
    );
  return present(page, sum, span);
}

function present(page: Account, engagement: Engagement, span: Span | undefined) {
  const { reactions, comments, reshares } = engagement;
  const { impressions, members } = reachOf(engagement);
  return {
    organizationalEntity: urnOf(page),
    ...(span && { timeRange: span }),
    totalShareStatistics: {
      impressionCount: impressions,
      uniqueImpressionsCount: members,
      clickCount: 0,
      likeCount: reactions,
      commentCount: comments,
      shareCount: reshares,
      engagement: impressions === 0 ? 0 : (reactions + comments + reshares) / impressions,
    },
  };
}

function isWithin(post: Post, span: Span | undefined): boolean {
  return span === undefined || contains(span, post.createdAt);
}

function isQuiet({ reactions, comments, reshares }: Engagement): boolean {
  return reactions + comments + reshares === 0;
}
