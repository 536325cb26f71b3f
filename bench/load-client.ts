import type { ApiStage } from './api-stage.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { startChild } from './harness/child.ts';
import { compare } from './harness/compare.ts';
import { timed } from './harness/processes.ts';
import { isInstalled } from './peers.ts';

const connections = 32;

/** Shows that the load client is not the bottleneck: autocannon reaches no higher rate on a route that does nothing. */
export const loadClient: Benchmark<ApiStage> = {
  name: 'load-client',
  about: 'our load client against autocannon, on a route that does nothing',
  forms: [],
  async measure(stage, { scale }) {
    const what = 'load client on a route that does nothing';
    if (!isInstalled('autocannon')) return [{ what, skipped: 'npm install --prefix bench/peers installs autocannon' }];
    await using cannon = await startChild(new URL('peers/autocannon.js', import.meta.url));
    const count = scale.of({ full: 30_000, quick: 5_000, smoke: 64 });
    const parties = { ...stage.parties, service: [stage.bare.pid] };
    const requests = [{ method: 'GET' as const, path: '/nothing', headers: {} }];
    const ours = async () => {
      const { value, shares } = await stage.client.sendTimed(parties, {
        origins: [stage.bare.url],
        requests,
        connections,
        count,
      });
      return { figure: value.answered / value.seconds, shares, counted: `${value.answered} responses` };
    };
    const theirs = async () => {
      const asked = { url: `${stage.bare.url}/nothing`, connections, count };
      const { value, seconds, shares } = await timed({ ...parties, client: [cannon.pid] }, () =>
        cannon.ask<{ answered: number }>(asked),
      );
      return { figure: value.answered / seconds, shares, counted: `${value.answered} responses` };
    };
    const sides = { ours: { warmUp: ours, measure: ours }, ceiling: { warmUp: theirs, measure: theirs } };
    return [await compare(scale, { what, unit: 'a second', ...sides, against: 'autocannon', aim: { atLeast: 1 } })];
  },
};
