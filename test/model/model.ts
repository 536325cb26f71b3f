import { runMoves, type WorkerAction } from './engine.ts';
import type { Options, State } from './state.ts';
import { type WorldAction, type WorldMove, worldMoves } from './world.ts';

export type Action = WorkerAction | WorldAction;

export interface Label {
  action: Action;
  worker: number | null;
  post: number | null;
  answer?: WorldMove['answer'];
}

export interface Transition {
  label: Label;
  state: State;
}

/** Everything that can happen next. */
export function next(state: State, options: Options): Transition[] {
  const transitions: Transition[] = [];
  for (const [worker, { mode, runs }] of state.workers.entries()) {
    if (mode !== 'up') continue;
    for (const lane of runs.keys()) {
      for (const { action, post, state: after } of runMoves(state, worker, lane, options)) {
        transitions.push({ label: { action, worker, post }, state: after });
      }
    }
  }
  for (const { state: after, ...label } of worldMoves(state, options)) transitions.push({ label, state: after });
  return transitions;
}

/** Describes a transition in words. */
export function describe({ action, worker, post, answer }: Label): string {
  const who = worker === null ? '' : `worker ${worker + 1}`;
  const what = post === null ? '' : `post ${post + 1}`;
  const outcome = answer ? `, ${answers[answer]}` : '';
  return `${words[action].replace('{who}', who).replace('{what}', what)}${outcome}`;
}

const answers = {
  arrives: 'and its answer arrives',
  lost: 'and its answer is lost',
  'says error': 'but answers with an error',
  'nobody waits': 'and nobody waits for the answer any more',
} as const;

const words: Readonly<Record<Action, string>> = {
  due: '{what} becomes due',
  claimLane: '{who} claims the lane',
  leaseExpires: 'the lease on the lane expires',
  cutOff: '{who} is cut off from the database and loses the lane',
  suspend: '{who} is suspended',
  wake: '{who} wakes up',
  crash: '{who} is killed',
  restart: '{who} is started again',
  accept: 'the network publishes {what}',
  refuse: 'the network refuses {what}',
  fail5xx: 'the network answers with an error and publishes nothing of {what}',
  loseRequest: 'the request of {what} is lost on its way',
  show: 'the network shows one more post',
  userRetries: 'the user asks to try {what} again',
  tick: 'half a time limit passes',
  claim: '{who} claims {what}',
  noPostDue: '{who} finds no post that is due',
  releaseLane: '{who} is done with the lane',
  claimLost: '{who} has lost its claim on {what}: nothing is written',
  begin: '{who} stores the step of {what} as begun',
  findOpenStep: '{who} finds that the step of {what} has begun before',
  findEndedStep: '{who} finds the result of {what} in its step',
  failBeforeStep: 'the run of {who} on {what} fails before its step',
  evidenceFound: '{who} asks the network and finds what may be {what}',
  nothingFound: '{who} finds nothing of {what}',
  noEvidence: '{who} asks the network for {what} and learns nothing',
  end: '{who} stores the result of the step of {what}',
  endTooLate: '{who} has a result of {what} that is not stored any more',
  wait: '{who} gives {what} back until its request cannot be on its way any more',
  sleep: '{who} waits until the request of {what} cannot be on its way any more',
  resend: '{who} stores that the step of {what} is sent once more',
  proveClaim: '{who} proves its claim on {what} again',
  send: '{who} sends the request of {what}',
  cannotSend: '{who} cannot connect to the network for {what}',
  timeout: '{who} gives up waiting for the answer to {what}',
  readFailure: '{who} learns that {what} has failed, or may have',
  arrived: '{who} stores that the request of {what} is no longer on its way',
  discard: '{who} deletes the step of {what}',
  retry: '{who} gives {what} back to be tried again',
  lookOnceMore: '{who} asks once more before it gives {what} up',
  runAgain: '{who} runs the adapter for {what} again with renewed credentials',
  publish: '{who} tells the user that {what} is published',
  fail: '{who} tells the user that {what} has failed',
  unknown: '{who} tells the user that the outcome of {what} is not known',
};
