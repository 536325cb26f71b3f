import { z } from 'zod';
import type { Context } from '../../kit/index.ts';
import { authorOf, type Credentials, call, encodeKey } from '../api.ts';
import { requirePermission } from '../scopes.ts';
import { type DateRange, type Day, DayShape, dateRangeParameter, dayAt, intervalsParameter } from './dates.ts';
import { type Count, countOf } from './metrics.ts';
import { asAction } from './targets.ts';

type Ctx = Context<Credentials>;
export type FollowersOfDay = { day: Day; count: Count };

const Size = z.object({ firstDegreeSize: z.number() });
const Members = z.object({
  elements: z.array(
    z.object({
      memberFollowersCount: z.number(),
      dateRange: z.object({ start: DayShape }).optional(),
    }),
  ),
});
const Gains = z.object({
  elements: z.array(
    z.object({
      timeRange: z.object({ start: z.number() }).optional(),
      followerGains: z
        .object({ organicFollowerGain: z.number().default(0), paidFollowerGain: z.number().default(0) })
        .optional(),
    }),
  ),
});

export async function followers(ctx: Ctx): Promise<Count> {
  requirePermission('read followers', ctx.credentials);
  return asAction(isPage(ctx) ? pageFollowers(ctx) : memberFollowers(ctx));
}

/** The number of followers gained, by day. */
export async function followersByDay(range: DateRange, ctx: Ctx): Promise<FollowersOfDay[]> {
  requirePermission('read followers', ctx.credentials);
  return asAction(isPage(ctx) ? pageGains(range, ctx) : memberGains(range, ctx));
}

const isPage = ({ credentials }: Ctx) => credentials.organizationId !== null;

async function memberFollowers(ctx: Ctx): Promise<Count> {
  const { elements } = await call(Members, finder('/rest/memberFollowersCount?q=me', ctx), ctx);
  return countOf(elements[0]?.memberFollowersCount ?? 0);
}

async function pageFollowers(ctx: Ctx): Promise<Count> {
  const path = `/rest/networkSizes/${encodeKey(authorOf(ctx))}?edgeType=COMPANY_FOLLOWED_BY_MEMBER`;
  const { accessToken } = ctx.credentials;
  return countOf((await call(Size, { path, accessToken }, ctx)).firstDegreeSize);
}

async function memberGains(range: DateRange, ctx: Ctx): Promise<FollowersOfDay[]> {
  const path = `/rest/memberFollowersCount?q=dateRange&dateRange=${dateRangeParameter(range)}`;
  const { elements } = await call(Members, finder(path, ctx), ctx);
  return elements.flatMap(({ memberFollowersCount, dateRange }) =>
    dateRange ? [{ day: dateRange.start, count: countOf(memberFollowersCount) }] : [],
  );
}

async function pageGains(range: DateRange, ctx: Ctx): Promise<FollowersOfDay[]> {
  const page = encodeKey(authorOf(ctx));
  const path = `/rest/organizationalEntityFollowerStatistics?q=organizationalEntity&organizationalEntity=${page}&timeIntervals=${intervalsParameter(range)}`;
  const { elements } = await call(Gains, finder(path, ctx), ctx);
  return elements.flatMap(({ timeRange, followerGains }) =>
    timeRange && followerGains
      ? [{ day: dayAt(timeRange.start), count: followerGains.organicFollowerGain + followerGains.paidFollowerGain }]
      : [],
  );
}

const finder = (path: string, ctx: Ctx) => ({ path, accessToken: ctx.credentials.accessToken, finder: true });
