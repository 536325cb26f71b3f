import type { Json } from '../../../src/foundation/lib/json.ts';
import { type Clock, systemClock } from '../../../src/foundation/time/clock.ts';
import type { StepStore } from '../../../src/platforms/kit/steps.ts';

/** Simulates a killed process: none of its code runs on. */
export class Killed extends Error {}

/**
 * The steps of one post, kept in memory. As in the database, a new claim takes the post from the previous run.
 * `killAfter` ends the run right after this many steps have ended; `msInFlight` is called for every step found begun;
 * `owned` are the ids of all the account's posts on the platform.
 */
export function memorySteps(
  clock: Clock = systemClock,
  { killAfter = 0, msInFlight = 0, owned = new Set<string>() } = {},
) {
  let endings = 0;
  const rows = new Map<string, { startedAt: Date; msInFlight: number; result?: string }>();
  let claims = 0;
  function store(name: string, result: Json) {
    const row = rows.get(name);
    if (!row) throw new Error(`The step "${name}" never began.`);
    row.result = JSON.stringify(result);
    const id = idOf(result);
    if (id !== null) owned.add(id);
  }
  return {
    claim(): StepStore {
      claims += 1;
      const mine = claims;
      const assertHeld = () => {
        if (mine !== claims) throw new Error('Another run holds this post.');
      };
      return {
        async begin(name) {
          assertHeld();
          const row = rows.get(name);
          if (!row) {
            rows.set(name, { startedAt: clock.now(), msInFlight });
            return 'new';
          }
          const { startedAt, result } = row;
          if (result !== undefined) return { startedAt, ended: true, result: parse(result) };
          return { startedAt, ended: false, msInFlight: row.msInFlight };
        },
        async finish(name, result) {
          assertHeld();
          store(name, result);
          endings += 1;
          if (endings === killAfter) throw new Killed(`after "${name}"`);
        },
        async markResent(name) {
          assertHeld();
          rows.get(name)!.msInFlight = msInFlight;
        },
        async markArrived(name) {
          assertHeld();
          rows.get(name)!.msInFlight = 0;
        },
        async discard(name) {
          assertHeld();
          rows.delete(name);
        },
        async adopt(name, { posts, doubtful, areAlike = false }) {
          assertHeld();
          const isFree = (post: Json) =>
            !owned.has(idOf(post) ?? '') || rows.get(name)?.result === JSON.stringify(post);
          const [first = null, ...others] = posts.filter(isFree);
          const isUnclear = areAlike && others.length > 0;
          if (first !== null && !isUnclear) store(name, first);
          return { result: isUnclear ? null : first, isDoubtful: isUnclear || doubtful.some(isFree), msInFlight: 0 };
        },
      };
    },
    /** Names of the steps that began and never ended. */
    open: () => [...rows].filter(([, row]) => row.result === undefined).map(([name]) => name),
    ended: () => [...rows].filter(([, row]) => row.result !== undefined).map(([name]) => name),
  };
}

const idOf = (result: Json) =>
  typeof result === 'object' && result !== null && 'id' in result && typeof result.id === 'string' ? result.id : null;

const parse = (text: string): Json => JSON.parse(text);
