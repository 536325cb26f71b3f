import type { Breach, Fault, Options } from './state.ts';

/** The usual setup for exploring the engine: two workers, two posts, a crash and a suspension anywhere. */
export const usual: Options = {
  workers: 2,
  lanes: [0, 0],
  kind: 'find',
  equal: false,
  retries: 1,
  crashes: 1,
  suspensions: 1,
  userRetries: 0,
};

const onePost = { lanes: [0], retries: 0 };
const crash = { ...onePost, suspensions: 0 };
const suspension = { ...onePost, crashes: 0 };
const unharmed = { crashes: 0, suspensions: 0 };

interface Planted {
  /** The smallest setup that shows the fault. */
  options: Partial<Options>;
  /** How the violation's text starts. */
  finds: 'two effects' | 'a lie' | 'no end';
}

export const plantedFaults: Readonly<Record<Fault, Planted>> = {
  'no fence': { options: suspension, finds: 'two effects' },
  'no fence on steps': { options: suspension, finds: 'two effects' },
  'short wait': { options: crash, finds: 'two effects' },
  'send again without asking': { options: crash, finds: 'two effects' },
  'no step before the request': { options: crash, finds: 'two effects' },
  'no proof after a suspension': { options: suspension, finds: 'two effects' },
  'late request keeps its old time': { options: suspension, finds: 'two effects' },
  'send again what cannot be asked': { options: { ...crash, kind: 'blind' }, finds: 'two effects' },
  'fail while a step is open': { options: { ...onePost, ...unharmed }, finds: 'a lie' },
  'fail although a step has ended': { options: crash, finds: 'a lie' },
  'adopt what another post owns': { options: { ...unharmed, equal: true }, finds: 'a lie' },
  'adopt while its own request is on its way': { options: { ...unharmed, equal: true }, finds: 'two effects' },
  'discard after no answer': { options: { ...unharmed, lanes: [0] }, finds: 'two effects' },
  'refused repeat proves that nothing was done': { options: { ...crash, kind: 'once' }, finds: 'a lie' },
  'every refusal of a repeat tells': { options: { ...crash, kind: 'tell' }, finds: 'a lie' },
  'release without a version': { options: { ...unharmed, retries: 0 }, finds: 'no end' },
  'no lease': { options: crash, finds: 'no end' },
};

/** Each assumption of the engine is necessary: without it, this happens. */
export const breaches: Readonly<Record<Breach, Planted>> = {
  'a request lives longer than the wait': { options: crash, finds: 'two effects' },
  'the network shows a post late': { options: crash, finds: 'two effects' },
  'suspended before the first byte': { options: suspension, finds: 'two effects' },
};
