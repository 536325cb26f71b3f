import { type HttpResponse, json } from '../../../http/http-response.ts';
import type { Call } from '../../../platform.ts';
import { invalidParameter } from '../errors.ts';
import { pageOf } from '../rest-li/rest-li.ts';
import { urnOf } from '../rest-li/urn.ts';
import { authenticate, requirePage, requireScope } from '../sign-in/authenticate.ts';
import { pageAdministration } from '../sign-in/scopes.ts';
import { daysOf, presentDates, readDateRange, readIntervals } from './dates.ts';

// The sandbox has no followers, so these numbers are made up. Every call returns the same ones.
const memberFollowers = 100;
const pageFollowers = 1234;
const followersPerDay = 2;

export function memberFollowersCount(call: Call): HttpResponse {
  const caller = authenticate(call);
  requireScope(call, caller, ['r_member_profileAnalytics'], 'memberFollowersCount.FINDER');
  const q = call.query.get('q');
  if (q === 'me') return json(pageOf(call, [{ memberFollowersCount: memberFollowers }]));
  if (q !== 'dateRange') invalidParameter('q');
  const days = daysOf(readDateRange(call) ?? invalidParameter('dateRange'));
  const elements = days.map((day) => ({ memberFollowersCount: followersPerDay, dateRange: presentDates(day) }));
  return json({ paging: { start: 0, count: elements.length, links: [] }, elements });
}

export function networkSize(call: Call): HttpResponse {
  requirePage(call, authenticate(call), call.params.urn ?? '', pageAdministration, 'networkSizes.GET');
  const isKnown = /^(COMPANY_FOLLOWED_BY_MEMBER|CompanyFollowedByMember)$/.test(call.query.get('edgeType') ?? '');
  if (!isKnown) invalidParameter('edgeType');
  return json({ firstDegreeSize: pageFollowers });
}

export function followerStatistics(call: Call): HttpResponse {
  const caller = authenticate(call);
  if (call.query.get('q') !== 'organizationalEntity') invalidParameter('q');
  const urn = call.query.get('organizationalEntity') ?? '';
  const resource = 'organizationalEntityFollowerStatistics.FINDER-organizationalEntity';
  const organizationalEntity = urnOf(requirePage(call, caller, urn, pageAdministration, resource));
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
