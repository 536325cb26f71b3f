import { whoIs } from '../src/features/auth/access/api-key.ts';
import { listPostGroups } from '../src/features/posts/list/list-posts.ts';
import { getPostGroup } from '../src/features/posts/posts.ts';
import type { BareOptions } from './bare/options.ts';
import { openCore } from './core.ts';
import { fillGroups } from './fill.ts';
import type { Run } from './harness/benchmark.ts';
import { startChild } from './harness/child.ts';
import type { Measured, Side } from './harness/compare.ts';
import type { RequestTemplate } from './harness/load.ts';
import { type Stage, startStage } from './harness/stage.ts';
import { statementRecorder } from './record-statements.ts';
import { insertTenant, keyOf, signUp, type Tenant } from './tenants.ts';

export interface ApiStage extends Stage {
  /** Several tenants share the load, so that their requests rarely wait for the same row. */
  readonly tenants: readonly Tenant[];
  /** Has accounts in the sandbox, and many posts. */
  readonly reader: Tenant;
  /** Ids of the reader's posts. */
  readonly postIds: readonly string[];
  /** Fastify with a bare handler for each benchmark. */
  readonly bare: { readonly url: string; readonly pid: number };
}

const tenantCount = 16;
const connections = 32;
const platforms = ['mastodon', 'threads', 'bluesky'];

export async function openApiStage({ scale }: Run): Promise<ApiStage> {
  await using stack = new AsyncDisposableStack();
  const stage = stack.use(await startStage());
  const reader = await signUp(stage, platforms.join());
  const tenants: Tenant[] = [];
  while (tenants.length < tenantCount) tenants.push(await insertTenant(stage.pool, platforms));
  const groups = scale.of({ full: 100_000, quick: 20_000, smoke: 500 });
  await fillGroups(stage.superuserUrl, { groups, userIds: [reader.userId] });
  const { rows } = await stage.pool.query('select id from post_groups where user_id = $1 order by md5(id) limit 500', [
    reader.userId,
  ]);
  const postIds = rows.map(({ id }) => String(id));
  const limits = await fetch(`${stage.criers[0]!.ready.baseUrl}/platform-limits`, { headers: keyOf(reader) });
  const options: BareOptions = {
    databaseUrl: stage.databaseUrl,
    tenants,
    reads: await readStatements(stage.databaseUrl, reader, postIds[0]!),
    platformLimits: await limits.json(),
  };
  const bare = stack.use(await startChild(new URL('bare/server.ts', import.meta.url), options));
  const resources = stack.move();
  return {
    ...stage,
    tenants,
    reader,
    postIds,
    bare: { url: String(bare.ready), pid: bare.pid },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function readStatements(
  databaseUrl: string,
  { userId }: Tenant,
  sampleId: string,
): Promise<BareOptions['reads']> {
  const core = openCore(databaseUrl);
  try {
    const record = statementRecorder(core.pool);
    const who = await whoIs(core.db, userId);
    return {
      sampleId,
      getPost: await record(() => getPostGroup(core, who, sampleId)),
      listPosts: await record(() => listPostGroups(core, who, {})),
    };
  } finally {
    await core.close();
  }
}

export interface ApiLoad {
  requests: RequestTemplate[];
  count: number;
  /** Counts the effects of the requests, before and after them. */
  counting?(work: () => Promise<Measured>): Promise<Measured>;
}

/** Sends the same requests to the service and to the bare handlers. */
export function sidesOf(stage: ApiStage, { requests, count, counting = (work) => work() }: ApiLoad) {
  const side = (origin: string, prefix: string, pid: number): Side => {
    const parties = { ...stage.parties, service: [pid] };
    const prefixed = requests.map((request) => ({ ...request, path: prefix + request.path }));
    const plan = (sent: number) => ({ origins: [origin], requests: prefixed, connections, count: sent });
    return {
      warmUp: () => stage.client.send(plan(Math.ceil(count / 3))),
      measure: () =>
        counting(async () => {
          const { value, shares } = await stage.client.sendTimed(parties, plan(count));
          return { figure: value.answered / value.seconds, shares, counted: `${value.answered} responses` };
        }),
    };
  };
  const { ready } = stage.criers[0]!;
  return { ours: side(ready.url, '/api/v1', ready.pid), ceiling: side(stage.bare.url, '', stage.bare.pid) };
}
