import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sandboxControl } from '../support/servers/sandbox-control.ts';
import type { Cluster } from './cluster.ts';

/** What happened to posts and requests while something broke. */
export interface LoadReport {
  posts: number;
  /** Accepted by the API, and not on the network. */
  lost: string[];
  twice: string[];
  /** Their state in the database is not "published". */
  unpublished: string[];
  requests: number;
  /** Answers of 500 and more, by status. */
  refused: Record<string, number>;
  /** Requests whose connection broke before the answer. */
  cut: number;
  /** The longest time in which no post reached a network. */
  longestGapSeconds: number;
  /** By how much the latest of the scheduled posts was late, and the latest of those that were due before the trouble. */
  latestSeconds: number;
  latestBeforeSeconds: number;
  /** The same of the earliest: less than 0 if it was early. */
  earliestSeconds: number;
  /** How many of them were late by more than a second. */
  lateByASecond: number;
  /** From the trouble to the next post that reached a network after a gap; 0 if there was no gap of a second. */
  recoveredAfterSeconds: number;
}

/** Where it is possible to find out what became of a request that was not answered, and a day has no limit of 250 posts. */
const platforms = ['twitter', 'linkedin', 'facebook', 'bluesky', 'mastodon'];
const dueEveryMs = 250;
const requestEveryMs = 400;
/** Posts are scheduled so long before they are due, so that some become due while no request is answered. */
const leadMs = 15_000;
/** How long all is well before the trouble begins. */
const quietMs = 4_000;
/** What was sent by a process that died is sent again after a minute and a half, if it did not arrive. */
const endLimitMs = 170_000;

/** A process that dies holds the idempotency key of its request for three minutes. */
const acceptLimitMs = 200_000;

/** Posts are created and become due for at least so many seconds, and until `trouble` is over. */
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
    // It is not repeated: its time may have passed. One that was not answered may or may not go out.
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

/** Begins work again and again, whether or not the earlier work has ended. */
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

/** Creates posts as our client does: a request that was not answered is repeated with the same idempotency key. */
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
    /** What was counted so far. */
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

/** When each text arrived, once all are there, or no more come. */
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
