import { afterAll, beforeAll, expect } from 'vitest';
import { secretWatch } from '../secrets/watch.ts';
import { watchAnswers } from '../secrets/watch-answers.ts';

// Runs around every test file: no response, log line, mail or export of the service may contain a secret.
watchAnswers();
beforeAll(() => secretWatch.forget());
afterAll(() => {
  expect(secretWatch.leaks(), 'Secrets were given out. Answers that are meant to: watch-answers.ts.').toEqual([]);
});
