import { afterAll, beforeAll, expect } from 'vitest';
import { secretWatch } from '../secrets/watch.ts';
import { watchAnswers } from '../secrets/watch-answers.ts';

// Runs around every test file: no secret may be in an answer, a log line, a mail or an export of the service.
watchAnswers();
beforeAll(() => secretWatch.forget());
afterAll(() => {
  expect(secretWatch.leaks(), 'Secrets were given out. Answers that are meant to: watch-answers.ts.').toEqual([]);
});
