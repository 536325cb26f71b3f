import { describe, expect, test, vi } from 'vitest';
import { seededRandom } from '../chaos/random.ts';
import { explore } from './explore.ts';
import { breaches, plantedFaults, usual } from './faults.ts';
import { breachNames, faultNames, type Options } from './state.ts';
import { walk } from './walk.ts';

// Takes seconds on an idle machine.
vi.setConfig({ testTimeout: 120_000 });

describe('in every state that two workers and two posts can reach, nothing is published twice, no outcome is a lie, and an end is in reach', () => {
  const settings: [string, Partial<Options>][] = [
    ['one post, a crash and a suspension', { lanes: [0], retries: 0 }],
    ['one post that a network takes once, a crash', { lanes: [0], kind: 'once', suspensions: 0 }],
    ['one post whose repeat a network ignores, a suspension', { lanes: [0], kind: 'replay', crashes: 0, retries: 0 }],
    ['one post that a network cannot be asked for, a crash', { lanes: [0], kind: 'blind', suspensions: 0 }],
    ['one post that a network names when it refuses a repeat, a crash', { lanes: [0], kind: 'tell', suspensions: 0 }],
    ['one post that a network names, a suspension', { lanes: [0], kind: 'tell', crashes: 0, retries: 0 }],
    ['one post that its user tries again, a crash', { lanes: [0], suspensions: 0, retries: 0, userRetries: 1 }],
    ['two posts on one lane, a crash', { suspensions: 0, retries: 0 }],
    ['two equal posts on one lane', { equal: true, crashes: 0, suspensions: 0, retries: 0 }],
    ['two equal posts that a network names, a crash', { equal: true, kind: 'tell', suspensions: 0, retries: 0 }],
    ['two equal posts that a network names', { equal: true, kind: 'tell', crashes: 0, suspensions: 0 }],
  ];
  test.each(settings)('%s', (_, options) => {
    const { states, violation } = explore({ ...usual, ...options });
    expect(violation).toBeNull();
    expect(states).toBeGreaterThan(500);
  });
});

test('nor in random walks of three workers and four posts, with crashes and suspensions without number', () => {
  const options: Options = { ...usual, workers: 3, lanes: [0, 0, 1, 2], retries: 3, crashes: 50, suspensions: 50 };
  const { violation, ended } = walk(options, 30, 2000, seededRandom(20_261_116));
  expect(violation).toBeNull();
  expect(ended).toBeGreaterThan(10);
});

describe('a mistake in the engine is found, with the shortest way to it', () => {
  test.each(faultNames)('%s', (fault) => {
    const { options, finds } = plantedFaults[fault];
    const { violation } = explore({ ...usual, ...options, fault }, { wanted: finds });
    expect(violation?.what).toContain(finds);
    expect(violation?.trace.length).toBeGreaterThan(2);
  });
});

describe('what the engine takes for granted is needed', () => {
  test.each(breachNames)('%s', (breach) => {
    const { options, finds } = breaches[breach];
    expect(explore({ ...usual, ...options, breach }, { wanted: finds }).violation?.what).toContain(finds);
  });
});

test('a trace tells in words what happened', () => {
  const { violation } = explore({ ...usual, lanes: [0], fault: 'no step before the request' });
  expect(violation?.trace).toContain('worker 1 sends the request of post 1');
  expect(violation?.trace.at(-1)).toMatch(/^the network publishes post 1/);
});
