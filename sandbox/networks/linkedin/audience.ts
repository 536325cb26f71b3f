import { type Answer, json } from '../../answer.ts';
import type { Call } from '../../network.ts';
import { daysOf, presentDates, readDateRange, readIntervals } from './dates.ts';
import type { Engagement } from './engagement.ts';
import { invalidParameter } from './errors.ts';
import { pageOf } from './rest-li.ts';
import { pageAdministration } from './scopes.ts';
import { requirePage, requireScope, signIn } from './sign-in.ts';
import { urnOf } from './urn.ts';

// Nobody follows or looks at anything here, so these numbers are made up; they are the same at every call.
const memberFollowers = 100;
const pageFollowers = 1234;
const followersPerDay = 2;
const pageViewsPerDay = 5;
const impressionsPerEngagement = 12;
const membersPerEngagement = 9;

export function reachOf({ reactions, comments, reshares }: Engagement): { impressions: number; members: number } {
  const sum = reactions + comments + reshares;
  return { impressions: sum * impressionsPerEngagement, members: sum * membersPerEngagement };
}

export function memberFollowersCount(call: Call): Answer {
  const caller = signIn(call);
  requireScope(call, caller, ['r_member_profileAnalytics'], 'memberFollowersCount.FINDER');
  const q = call.query.get('q');
  if (q === 'me') return json(pageOf(call, [{ memberFollowersCount: memberFollowers }]));
  if (q !== 'dateRange') invalidParameter('q');
  const days = daysOf(readDateRange(call) ?? invalidParameter('dateRange'));
  const elements = days.map((day) => ({ memberFollowersCount: followersPerDay, dateRange: presentDates(day) }));
  return json({ paging: { start: 0, count: elements.length, links: [] }, elements });
}

export function networkSize(call: Call): Answer {
  requirePage(call, signIn(call), call.params.urn ?? '', pageAdministration, 'networkSizes.GET');
  const isKnown = /^(COMPANY_FOLLOWED_BY_MEMBER|CompanyFollowedByMember)$/.test(call.query.get('edgeType') ?? '');
  if (!isKnown) invalidParameter('edgeType');
  return json({ firstDegreeSize: pageFollowers });
}

export function followerStatistics(call: Call): Answer {
  const page = readPage(call, 'organizationalEntity');
  const organizationalEntity = urnOf(page);
  const spans = readIntervals(call);
  const demographic = {
    followerCountsByAssociationType: [],
    followerCountsByIndustry: [],
    followerCountsBySeniority: [],
  };
  if (!spans) return json(pageOf(call, [{ organizationalEntity, ...demographic }]));
  const elements = spans.map((timeRange) => ({
    organizationalEntity,
    timeRange,
    followerGains: { organicFollowerGain: followersPerDay * daysOf(timeRange).length, paidFollowerGain: 0 },
  }));
  return json({ paging: { start: 0, count: elements.length, links: [] }, elements });
}

export function pageStatistics(call: Call): Answer {
  const page = readPage(call, 'organization');
  const spans = readIntervals(call) ?? [undefined];
  const elements = spans.map((timeRange) => ({
    organization: urnOf(page),
    ...(timeRange && { timeRange }),
    totalPageStatistics: {
      views: { allPageViews: { pageViews: pageViewsPerDay * (timeRange ? daysOf(timeRange).length : 1) } },
      clicks: {},
    },
  }));
  return json({ paging: { start: 0, count: elements.length, links: [] }, elements });
}

function readPage(call: Call, name: 'organization' | 'organizationalEntity') {
  const caller = signIn(call);
  if (call.query.get('q') !== name) invalidParameter('q');
  const resource = `${call.path.slice(call.path.lastIndexOf('/') + 1)}.FINDER-${name}`;
  return requirePage(call, caller, call.query.get(name) ?? '', pageAdministration, resource);
}
