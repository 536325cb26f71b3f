import { sql } from 'kysely';
import { connectionTo } from '../../src/foundation/db/connection-to.ts';
import type { Db } from '../../src/foundation/db/database.ts';
import { matched, type Observable, type Observed, type Paced, pacesOf } from '../model/conformance.ts';
import type { Kind } from '../model/state.ts';

/** Triggers in this database record each change of a post or step in the order of locking. */
export async function recordTraces(databaseUrl: string): Promise<void> {
  const { Client, connectionString } = connectionTo(databaseUrl);
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(triggers);
  } finally {
    await client.end();
  }
}

const triggers = `
  create table chaos_trace (
    id bigint generated always as identity primary key, platform_post_id text not null, step text,
    action text not null, at timestamptz not null, cause text
  );
  create function trace_step() returns trigger language plpgsql as $$
  begin
    insert into chaos_trace (platform_post_id, step, action, at) values (
      coalesce(new.platform_post_id, old.platform_post_id), coalesce(new.name, old.name),
      case
        when tg_op = 'INSERT' then 'begin'
        when tg_op = 'DELETE' then 'discard'
        when new.ended_at is not null then 'end'
        when new.last_sent_at = 'epoch' then 'arrived'
        else 'resend'
      end,
      -- A step is as old as this time, not as its row.
      case when tg_op = 'INSERT' or (tg_op = 'UPDATE' and new.ended_at is null and new.last_sent_at <> 'epoch')
        then new.last_sent_at else clock_timestamp() end
    );
    return null;
  end $$;
  create trigger trace_step after insert or update or delete on publish_steps for each row execute function trace_step();
  create function trace_post() returns trigger language plpgsql as $$
  begin
    insert into chaos_trace (platform_post_id, cause, action, at) values (
      new.id,
      case when new.claim_token is null and new.status = 'pending' then new.error ->> 'code' end,
      case
        when new.claim_token is not null then 'claim'
        when new.status = 'published' then 'publish'
        when new.status = 'failed' and new.error ->> 'code' = 'PUBLISH_OUTCOME_UNKNOWN' then 'unknown'
        when new.status = 'failed' then 'fail'
        when new.status = 'pending' then 'retry'
        else 'wait'
      end,
      clock_timestamp()
    );
    return null;
  end $$;
  create trigger trace_post after update on platform_posts for each row
    -- A published post is claimed for its comments.
    when (new.claim_token is distinct from old.claim_token and old.status <> 'published') execute function trace_post();`;

export interface TraceReport {
  /** Steps whose traces were compared with the model. */
  checked: number;
  /** How often each action occurred in them. */
  actions: Partial<Record<Observable, number>>;
  /** Traces that no path of the model explains. */
  refused: string[];
  /** For each network, the step that was in doubt longest after a lost response. */
  longestSettlements: Record<string, Settlement>;
  /** The same, among steps that no rate limit delayed. */
  longestWithoutLimits: Record<string, Settlement>;
}

export interface Settlement {
  /** From the first request with a lost response to the result, in real time. */
  seconds: number;
  /** Requests sent until then. A lost response to a retry starts another wait. */
  sent: number;
  /** Whether a rate limit of the network delayed it. */
  limited: boolean;
  /** What happened until then, in seconds from the first request, with the codes of failed attempts. */
  events: string;
}

interface Row extends Caused {
  postId: string;
  platform: string;
  accountId: string;
  step: string | null;
}

/** An event of a post, with the code of the error that caused the retry. */
type Caused = Observed & { cause?: string | null };

/** Compares the events of each step that makes a post visible with the model of the engine. */
export async function checkTraces(db: Db, timeLimitMs: number): Promise<TraceReport> {
  const { rows } = await sql<Row>`
    select platform_post_id as "postId", platform, account_id as "accountId", step, action, cause,
      (1000 * extract(epoch from at))::float8 as at
    from chaos_trace join platform_posts on platform_posts.id = platform_post_id
    where platform_posts.status in ('published', 'failed') order by chaos_trace.id`.execute(db);
  const ofAccounts = Map.groupBy(rows, ({ platform, accountId }) => `${platform} ${accountId}`);
  const events = [...ofAccounts.values()].flatMap(besideOthers).filter(({ step }) => !step?.startsWith('comment '));
  const report: TraceReport = {
    checked: 0,
    actions: {},
    refused: [],
    longestSettlements: {},
    longestWithoutLimits: {},
  };
  const known = new Map<string, boolean>();
  for (const [postId, ofPost] of Map.groupBy(events, (row) => row.postId)) {
    const names = new Set(ofPost.flatMap(({ step }) => step ?? []));
    for (const name of names) {
      const { platform } = ofPost[0]!;
      const kinds = kindsOf(platform, name);
      if (kinds.length === 0) continue;
      const trace = ofPost.filter(({ step }) => step === null || step === name);
      report.checked += 1;
      for (const { action } of trace) report.actions[action] = (report.actions[action] ?? 0) + 1;
      const settlement = settlementOf(trace);
      if (settlement) {
        keepLongest(report.longestSettlements, platform, settlement);
        if (!settlement.limited) keepLongest(report.longestWithoutLimits, platform, settlement);
      }
      const [events, hasMore] = [pacesOf(trace, timeLimitMs), names.size > 1];
      const shape = `${kinds.join()} ${hasMore} ${describe(events)}`;
      if (!known.has(shape))
        known.set(
          shape,
          kinds.some((kind) => matched({ kind, hasMore, events }) === events.length),
        );
      if (!known.get(shape)) report.refused.push(`${platform} ${postId}, ${name}: ${describe(events)}`);
    }
  }
  return report;
}

function keepLongest(longest: Record<string, Settlement>, platform: string, settlement: Settlement): void {
  if (settlement.seconds > (longest[platform]?.seconds ?? 0)) longest[platform] = settlement;
}

/** Null if no run found the step open: no response was lost. */
export function settlementOf(trace: readonly Caused[]): Settlement | null {
  const begun = trace.findIndex(({ action }) => action === 'begin');
  const found = trace.findIndex(({ action }, index) => index > begun && action === 'claim');
  const ended = trace.findIndex(({ action }, index) => index > begun && (action === 'end' || action === 'discard'));
  if (begun === -1 || found === -1 || (ended !== -1 && ended < found)) return null;
  const last = ended === -1 ? trace.length - 1 : ended;
  const inDoubt = trace.slice(begun, last);
  const sent = inDoubt.filter(({ action }) => action === 'begin' || action === 'resend').length;
  const limited = inDoubt.some(({ cause }) => cause === 'RATE_LIMITED');
  const secondsTo = ({ at }: Caused) => Math.round((at - trace[begun]!.at) / 100) / 10;
  const events = trace
    .slice(begun, last + 1)
    .map((event) => [secondsTo(event), event.action, ...(event.cause ? [event.cause] : [])].join(' '))
    .join(', ');
  return { seconds: secondsTo(trace[last]!), sent, limited, events };
}

const ends: ReadonlySet<Observable> = new Set(['publish', 'fail', 'unknown']);

/** Marks the events of an account's posts during which another post may be in doubt. */
function besideOthers(rows: readonly Row[]): Row[] {
  const open = new Map<string, { postId: string }>();
  /** The posts that have had an open step since the last event of each post. */
  const openSince = new Map<string, Set<string>>();
  return rows.map((row) => {
    const { postId, step, action } = row;
    const key = `${postId} ${step}`;
    if (action === 'begin') {
      open.set(key, { postId });
      for (const posts of openSince.values()) posts.add(postId);
    }
    if (action === 'end' || action === 'discard') open.delete(key);
    if (ends.has(action)) for (const [one, { postId: of }] of open) if (of === postId) open.delete(one);
    const besideAnother = [...(openSince.get(postId) ?? [])].some((other) => other !== postId);
    openSince.set(postId, new Set([...open.values()].map((one) => one.postId)));
    return { ...row, besideAnother };
  });
}

/** Traces with the same description need only one comparison. */
const describe = (events: readonly Paced[]) =>
  events.map(({ action, ticks, besideAnother }) => `${ticks} ${action}${besideAnother ? '*' : ''}`).join(', ');

/** What each network reveals about a post after an unknown outcome. Some depend on the content. */
const kinds: Readonly<Record<string, readonly Kind[]>> = {
  bluesky: ['replay'],
  facebook: ['find', 'once'],
  instagram: ['once'],
  linkedin: ['find', 'tell', 'blind'],
  mastodon: ['find'],
  telegram: ['blind'],
  threads: ['once'],
  tiktok: ['blind'],
  twitter: ['find'],
  youtube: ['once'],
};
const visible = /^(post|status|part \d+|message|media|text|video|photo post \d+)$/;

const kindsOf = (platform: string, step: string): readonly Kind[] =>
  visible.test(step) ? (kinds[platform] ?? []) : [];
