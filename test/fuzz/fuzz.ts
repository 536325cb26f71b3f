import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, seededRandom } from '../chaos/random.ts';
import { type CrierProcess, dataFolder, startCrier } from '../support/processes/crier.ts';
import { parsed } from './contract.ts';
import { asCurl } from './curl.ts';
import { judge } from './judge.ts';
import { growth, observe, type Reading, readMetrics } from './observe.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import { debuggable, retainedHeapMb } from './retained-heap.ts';
import { type Answer, type Send, sender } from './send.ts';
import { aShot, type Shot, type World } from './shots.ts';
import { call, makeGuest, makeTenants, renewCredentials, type Tenant } from './tenants.ts';

export interface FuzzOptions {
  seed: number;
  requests: number;
  /** How many requests run at the same time. */
  concurrency: number;
  say(line: string): void;
}
export interface Finding {
  what: string;
  curl: string;
}
export interface FuzzReport {
  seed: number;
  requests: number;
  seconds: number;
  statuses: Record<string, number>;
  /** Operations that never succeeded during the run. */
  neverSucceeded: string[];
  findings: Finding[];
  /**
   * Seconds with a block over 50 ms, those in which the process was computing, and those of them that garbage
   * collection does not explain.
   */
  blocks: { blocked: number; busy: number; unexplained: number; seconds: number };
  memory: Record<'residentMb' | 'heapMb' | 'retainedMb' | 'openFiles', { early: number; late: number }>;
  renewedCredentials: number;
}

const maxFindings = 50;
/** If collections took less than this in a second with a block, other work caused most of it. */
const longCollection = 0.025;
/** How many of the requests around a block are sent again alone. */
const suspectsPerBlock = 4;
const maxSuspects = 40;

/** Sends random requests to a real Crier and reports violations. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.adopt(await dataFolder(), ({ remove }) => remove());
  const receiver = stack.use(await openReceiver());
  const settings = { LOG_LEVEL: 'warn', RATE_LIMITS: 'off', EGRESS_ALLOW: new URL(receiver.url).host };
  const environment = { ...settings, ...debuggable };
  const crier = stack.adopt(await startCrier({ folder, environment }), async (started) => void (await started.stop()));
  const tenants = await makeTenants(crier, options.seed, receiver.url);
  const guest = await makeGuest(crier, options.seed);
  options.say(`Crier runs at ${crier.ready.url}, with ${tenants.length} tenants.`);
  return await new Run(crier, { tenants, guest, servedUrl: receiver.url }, receiver, options).run();
}

class Run {
  readonly crier: CrierProcess;
  readonly world: World;
  readonly receiver: Receiver;
  readonly options: FuzzOptions;
  readonly #findings: Finding[] = [];
  readonly #statuses: Record<string, number> = {};
  readonly #succeeded = new Set<string>();
  /** The latest requests, to find the one that caused a log entry or a block. */
  readonly #recent: Shot[] = [];
  readonly #suspects: Shot[] = [];
  readonly #send: Send;
  #sent = 0;
  #read = 0;
  #renewed = 0;
  #isDead = false;
  #retainedEarly = 0;
  #last: Reading | null = null;
  #unexplained = 0;

  constructor(crier: CrierProcess, world: World, receiver: Receiver, options: FuzzOptions) {
    [this.crier, this.world, this.receiver, this.options] = [crier, world, receiver, options];
    this.#send = sender(crier.ready.url);
  }

  async run(): Promise<FuzzReport> {
    const began = performance.now();
    const observing = observe(this.crier.ready.url, (reading) => this.#look(reading));
    const clients = Array.from({ length: this.options.concurrency }, () => this.#client());
    await Promise.all(clients);
    await observing.stop();
    const seconds = (performance.now() - began) / 1000;
    const { readings } = observing;
    const blocks = {
      blocked: readings.at(-1)?.blocked ?? 0,
      busy: readings.at(-1)?.busy ?? 0,
      unexplained: this.#unexplained,
      seconds: readings.length,
    };
    const retainedMb = { early: this.#retainedEarly, late: await retainedHeapMb(this.crier) };
    await this.#tryAlone();
    await this.#checkEnd();
    return {
      seed: this.options.seed,
      requests: this.#sent,
      seconds: Math.round(seconds),
      statuses: this.#statuses,
      neverSucceeded: judge.operationIds.filter((id) => !this.#succeeded.has(id)),
      findings: this.#findings,
      blocks,
      memory: {
        residentMb: growth(readings, 'residentMb'),
        heapMb: growth(readings, 'heapMb'),
        retainedMb,
        openFiles: growth(readings, 'openFiles'),
      },
      renewedCredentials: this.#renewed,
    };
  }

  async #client() {
    while (this.#sent < this.options.requests && this.#findings.length < maxFindings && !this.#isDead) {
      const index = this.#sent;
      this.#sent += 1;
      if (index % 1000 === 999) await this.#checkUp(index + 1);
      // Everything is loaded by then.
      if (index === Math.floor(this.options.requests / 4)) this.#retainedEarly = await retainedHeapMb(this.crier);
      const random = seededRandom(this.options.seed * 1_000_003 + index);
      const shot = aShot(this.world, random, index);
      this.#recent.push(shot);
      if (this.#recent.length > 400) this.#recent.splice(0, 200);
      await this.#fire(shot, random);
    }
  }

  async #fire(shot: Shot, random: Random) {
    const answer = await this.#send(shot, random).catch((error: Error) => error);
    if (answer === null) return;
    if (answer instanceof Error) return this.#lost(shot, answer);
    this.#count(shot, answer);
    for (const what of judge.answer(shot, answer, this.world.tenants)) this.#find(shot, what);
  }

  #lost(shot: Shot, { message }: Error) {
    const isDead = message.includes('ECONNREFUSED');
    if (!isDead) return this.#find(shot, `no answer: ${message}`);
    if (!this.#isDead) this.#find(shot, `the process has ended: ${this.crier.output().slice(-3000)}`);
    this.#isDead = true;
  }

  #count(shot: Shot, answer: Answer) {
    this.#statuses[answer.status] = (this.#statuses[answer.status] ?? 0) + 1;
    if (answer.status >= 300 || !shot.operation) return;
    const { operationId } = shot.operation;
    this.#succeeded.add(operationId);
    if (operationId === 'changePassword' && shot.tenant) shot.tenant.password = newPasswordIn(shot);
  }

  #find(shot: Shot | null, what: string) {
    const curl = shot ? asCurl(this.crier.ready.url, shot, this.options.seed) : '';
    this.#findings.push({ what, curl });
    this.options.say(`FOUND (seed ${this.options.seed}): ${what}\n  ${curl}`);
  }

  async #checkUp(sent: number) {
    for (const tenant of [...this.world.tenants, this.world.guest]) {
      this.#renewed += await renewCredentials(this.crier, tenant);
    }
    this.options.say(`${sent} requests, ${this.#findings.length} findings`);
  }

  /** Once a second: checks the log, and collects suspects for a block. */
  #look(reading: Reading) {
    const output = this.crier.output();
    const lines = output.slice(this.#read, output.lastIndexOf('\n') + 1);
    this.#read += lines.length;
    for (const line of lines.split('\n').filter((one) => /"level":[56]0/.test(one))) {
      const id = /"reqId":"(fuzz-\d+)"/.exec(line)?.[1];
      this.#find(this.#recent.find((shot) => shot.id === id) ?? null, `an error in the log: ${line.slice(0, 1500)}`);
    }
    const { busy, collectionSeconds } = this.#last ?? reading;
    this.#last = reading;
    const isNewBlock = reading.busy > busy;
    if (isNewBlock && reading.collectionSeconds - collectionSeconds < longCollection) this.#unexplained += 1;
    if (!isNewBlock || this.#suspects.length >= maxSuspects) return;
    const around = this.#recent.slice(-200).filter(({ manner }) => manner !== 'malformed');
    this.#suspects.push(...around.toSorted((one, other) => weight(other) - weight(one)).slice(0, suspectsPerBlock));
  }

  /**
   * Many concurrent requests can keep the loop busy although none of them does so for long. So the heaviest requests
   * around each block are sent again alone, and a request that blocks the loop twice is a finding.
   */
  async #tryAlone() {
    const random = seededRandom(this.options.seed);
    for (const shot of new Set(this.#suspects)) {
      let times = 0;
      while (times < 2 && (await this.#blocks({ ...shot, manner: 'whole' }, random))) times += 1;
      if (times === 2) this.#find(shot, 'blocks the event loop for more than 50 ms of CPU time');
    }
  }

  async #blocks(shot: Shot, random: Random): Promise<boolean> {
    const before = await readMetrics(this.crier.ready.url);
    await this.#send(shot, random).catch(() => null);
    // The metrics of each second are recorded at its end.
    await sleep(1100);
    return (await readMetrics(this.crier.ready.url)).busy > before.busy;
  }

  /** The service is healthy, all protected resources still exist, and a post can still be published. */
  async #checkEnd() {
    for (const tenant of this.world.tenants) {
      this.#renewed += await renewCredentials(this.crier, tenant);
      await this.#checkTenant(tenant).catch((error: Error) => this.#find(null, `${tenant.name}: ${error.message}`));
    }
    const ready = await fetch(new URL('/readyz', this.crier.ready.url));
    if (ready.status !== 200) this.#find(null, `/readyz: ${ready.status} ${await ready.text()}`);
    for (const leak of this.receiver.leaks(this.world.tenants)) this.#find(null, leak);
  }

  async #checkTenant(tenant: Tenant) {
    for (const id of tenant.posts) await call(this.crier, tenant, 'GET', `/get-post/${id}`);
    const connected = JSON.stringify(await call(this.crier, tenant, 'GET', '/platform-connections'));
    const missing = tenant.connections.filter((id) => !connected.includes(`"${id}"`));
    if (missing.length > 0) throw new Error(`connections are gone: ${missing.join()}`);
    // The smallest plan allows only a few posts.
    if (tenant.managedId === null) return;
    const mastodon = tenant.connections.find((id) => id.startsWith('mastodon-'));
    const made = await call(this.crier, tenant, 'POST', '/create-post', {
      content: `The last post ${tenant.mark}`,
      platforms: [mastodon],
      publishNow: true,
    });
    for (let tries = 0; tries < 240; tries += 1) {
      const { status } = await call(this.crier, tenant, 'GET', `/get-post/${made.postGroupId}`);
      if (status === 'published') return;
      if (status === 'failed') throw new Error('the last post failed');
      await sleep(250);
    }
    throw new Error('the last post was not published within a minute');
  }
}

const newPasswordIn = ({ body }: Shot) =>
  String((parsed(body?.toString() ?? '') as { newPassword?: string } | undefined)?.newPassword);

const weight = ({ body, target }: Shot) => (body?.length ?? 0) + target.length;
