import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sandboxControl } from '../support/servers/sandbox-control.ts';
import type { Cluster } from './cluster.ts';

/** The results for posts and requests during a fault. */
export interface LoadReport {
  posts: number;
  /** Accepted by the API but not on the network. */
  lost: string[];
  twice: string[];
  /** Posts whose state in the database is not "published". */
  unpublished: string[];
  requests: number;
  /** Responses with status 500 and above, by status. */
  refused: Record<string, number>;
  /** Requests whose connection broke before the response. */
  cut: number;
  /** The longest time without a post reaching a network. */
  longestGapSeconds: number;
  /** The largest delay of a scheduled post, overall and among those due before the fault. */
  latestSeconds: number;
  latestBeforeSeconds: number;
  /** The smallest delay: negative if a post was early. */
  earliestSeconds: number;
  /** How many of them were more than a second late. */
  lateByASecond: number;
  /** From the fault to the next post that reached a network after a gap; 0 if there was no gap of a second. */
  recoveredAfterSeconds: number;
}

/** Networks where the outcome of an unanswered request can be determined, and without a limit of 250 posts per day. */
const platforms = ['twitter', 'linkedin', 'facebook', 'bluesky', 'mastodon'];
const dueEveryMs = 250;
const requestEveryMs = 400;
/** Posts are scheduled this long before they are due, so that some become due while no request succeeds. */
const leadMs = 15_000;
/** The quiet time before the fault. */
const quietMs = 4_000;
/** A request of a process that died is retried after a minute and a half, if it did not arrive. */
const endLimitMs = 170_000;

/** After a process dies, the idempotency key of its request stays locked for three minutes. */
const acceptLimitMs = 200_000;

/** Creates posts that become due for at least this many seconds, and until `trouble` is over. */
export async function underLoad(
  cluster: Cluster,
  seconds: number,
  trouble: () => Promise<unknown>,
): Promise<LoadReport> {
  const run = randomUUID().slice(0, 8);
  const client = apiClient(cluster, await targetsOf(cluster));
  const due = new Map<string, number>();
  const expected: string[] = [];
  const schedule = every(dueEveryMs, async (number) => {
    const content = `${run} scheduled ${number}`;
    const at = Date.now() + leadMs;
    // Not retried: its time may have passed. An unanswered post may or may not be published.
    const isAccepted = await client.tryOnce({ content, scheduledTime: new Date(at).toISOString() });
    if (isAccepted) due.set(content, at);
  });
  const begin = Date.now() + leadMs;
  await sleep(leadMs);
  client.forget();
  const create = every(requestEveryMs, async (number) => {
    const content = `${run} now ${number}`;
    expected.push(content);
    await client.create({ content, publishNow: true });
  });
  await sleep(quietMs);
  const troubleAt = Date.now();
  try {
    await trouble();
    await sleep(Math.max(3_000, begin + seconds * 1000 - Date.now()));
  } finally {
    await Promise.all([schedule.stop(), create.stop()]);
  }
  expected.push(...due.keys());
  await sleep(leadMs);

  const arrived = await untilArrived(cluster, run, expected);
  const last = Math.max(...due.values());
  const times = [...arrived.values()].map(([first = 0]) => first).filter((time) => time <= last);
  const { seconds: longestGapSeconds, until } = longestGap([begin, ...times]);
  const lateness = ([content, at]: [string, number]) => ((arrived.get(content)?.[0] ?? Number.NaN) - at) / 1000;
  const late = [...due].map(lateness);
  const lateBefore = [...due].filter(([, at]) => at < troubleAt - quietMs / 2).map(lateness);
  return {
    posts: expected.length,
    lost: expected.filter((content) => !arrived.has(content)),
    twice: [...arrived].filter(([, all]) => all.length > 1).map(([content]) => content),
    unpublished: await unpublished(cluster, run),
    ...client.report(),
    longestGapSeconds: round(longestGapSeconds),
    latestSeconds: round(Math.max(...late)),
    latestBeforeSeconds: round(Math.max(...lateBefore)),
    earliestSeconds: round(Math.min(...late)),
    lateByASecond: late.filter((time) => time > 1).length,
    recoveredAfterSeconds: longestGapSeconds < 1 ? 0 : round((until - troubleAt) / 1000),
  };
}

/** Starts work at intervals, whether or not earlier work has ended. */
function every(ms: number, work: (number: number) => Promise<void>) {
  const begun: Promise<void>[] = [];
  const timer = setInterval(() => void begun.push(work(begun.length)), ms);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(begun);
    },
  };
}

function longestGap(times: readonly number[]) {
  const sorted = times.toSorted((one, other) => one - other);
  const gaps = sorted.slice(1).map((until, index) => ({ seconds: (until - sorted[index]!) / 1000, until }));
  return gaps.reduce((one, other) => (other.seconds > one.seconds ? other : one), { seconds: 0, until: 0 });
}

const round = (seconds: number) => Math.round(seconds * 10) / 10;

async function targetsOf({ query }: Cluster): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `select platform || '-' || account_id as id from connections where platform in ('${platforms.join("','")}')`,
  );
  return rows.map(({ id }) => id);
}

/** Creates posts as our client does: retries an unanswered request with the same idempotency key. */
function apiClient({ apiUrl, apiKey }: Cluster, targets: readonly string[]) {
  let [requests, cut, made] = [0, 0, 0];
  let refused: Record<string, number> = {};

  async function send(body: object, key: string): Promise<number> {
    requests += 1;
    const headers = { 'x-service-key': apiKey, 'content-type': 'application/json', 'idempotency-key': key };
    const response = await fetch(`${apiUrl}/create-post`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    }).catch(() => null);
    if (response === null) return 0;
    const text = await response.text().catch(() => '');
    if (response.status >= 400 && response.status < 500 && !/IN_FLIGHT/.test(text))
      throw new Error(`create-post: ${response.status} ${text}`);
    return response.status;
  }

  function nextTarget() {
    made += 1;
    return targets[made % targets.length]!;
  }
  function count(status: number) {
    if (status === 0) cut += 1;
    else if (status >= 500) refused[status] = (refused[status] ?? 0) + 1;
  }

  return {
    async tryOnce(post: object): Promise<boolean> {
      const status = await send({ ...post, platforms: [nextTarget()] }, randomUUID());
      count(status);
      return status === 200;
    },
    async create(post: object) {
      const [platforms, key] = [[nextTarget()], randomUUID()];
      let status = 0;
      for (const deadline = Date.now() + acceptLimitMs; Date.now() < deadline; await sleep(250)) {
        status = await send({ ...post, platforms }, key);
        if (status === 200) return;
        count(status);
      }
      throw new Error(`A post was not accepted for ${acceptLimitMs / 1000} s; the last status was ${status}.`);
    },
    /** Resets the counts. */
    forget() {
      [requests, cut, refused] = [0, 0, {}];
    },
    report: () => ({ requests, refused, cut }),
  };
}

interface SandboxPost {
  text: string;
  createdAt: string;
}

/** The arrival time of each text, once all have arrived or no more come. */
async function untilArrived({ sandboxUrl }: Cluster, run: string, expected: readonly string[]) {
  const control = sandboxControl(sandboxUrl);
  for (const deadline = Date.now() + endLimitMs; ; await sleep(500)) {
    const posts = await control<SandboxPost[]>('GET', '/posts');
    const arrived = new Map<string, number[]>();
    for (const { text, createdAt } of posts.filter((post) => post.text.startsWith(run)))
      arrived.set(text, [...(arrived.get(text) ?? []), Date.parse(createdAt)]);
    if (expected.every((text) => arrived.has(text)) || Date.now() > deadline) return arrived;
  }
}

/** A post reaches its network a moment before its outcome is stored. */
async function unpublished({ query }: Cluster, run: string): Promise<string[]> {
  for (const deadline = Date.now() + 30_000; ; await sleep(500)) {
    const rows = await query<{ line: string }>(
      `select content || ': ' || status || coalesce(' ' || (error ->> 'code'), '') as line
       from platform_posts where content like '${run}%' and status <> 'published'`,
    );
    if (rows.length === 0 || Date.now() > deadline) return rows.map(({ line }) => line);
  }
}
