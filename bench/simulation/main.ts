// npm run simulate -- [--targets 1000000,100000000] [--workers 1,2,4,8] [--publish 900] [--database 900] [--nine 0.4] [--seed 1]
import { parseArgs } from 'node:util';
import { standardProfile } from './profile.ts';
import { simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    targets: { type: 'string', default: '100000,1000000,10000000,100000000' },
    workers: { type: 'string', default: '1,2,4,8,16' },
    publish: { type: 'string', default: '900' },
    database: { type: 'string', default: '900' },
    lanes: { type: 'string', default: '256' },
    nine: { type: 'string', default: String(standardProfile.atNine) },
    seed: { type: 'string', default: '1' },
  },
});
const list = (text: string) => text.split(',').map(Number);
const profile = { ...standardProfile, atNine: Number(values.nine) };

console.log(
  '| targets a month | database, targets a second | workers | p50 lateness | p99 lateness | longest lateness | bottleneck | refused by quotas |',
);
console.log('|---|---|---|---|---|---|---|---|');
for (const targetsPerMonth of list(values.targets)) {
  for (const databasePerSecond of list(values.database)) {
    for (const workers of list(values.workers)) {
      const machines = {
        workers,
        databasePerSecond,
        publishPerSecond: Number(values.publish),
        lanesPerNetwork: Number(values.lanes),
      };
      const { lateness, saturated, refused } = simulate(
        { targetsPerMonth, seed: Number(values.seed) },
        profile,
        machines,
      );
      const cells = [
        targetsPerMonth.toLocaleString('en-US'),
        databasePerSecond.toLocaleString('en-US'),
        workers,
        ...[lateness.p50, lateness.p99, lateness.max].map(duration),
        saturated ?? 'none',
        `${(refused * 100).toFixed(0)}%`,
      ];
      console.log(`| ${cells.join(' | ')} |`);
    }
  }
}

function duration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  return seconds < 120 ? `${seconds.toFixed(1)} s` : `${(seconds / 60).toFixed(0)} min`;
}
