import { expect, test } from 'vitest';
import { accountProblems } from './accounts.ts';
import { connectionProblems } from './connections.ts';
import { draftProblems } from './drafts.ts';
import { hints } from './hints.ts';
import { codeOf, isProblemKey, Problem, type ProblemEntry, problems } from './index.ts';
import { labelProblems } from './labels.ts';
import { linkedinProblems } from './linkedin.ts';
import { mcpProblems } from './mcp.ts';
import { mediaProblems } from './media.ts';
import { postProblems } from './posts.ts';
import { requestProblems } from './requests.ts';
import { signInProblems } from './sign-in.ts';
import { slotProblems } from './slots.ts';
import { statisticsProblems } from './statistics.ts';
import { streamProblems } from './stream.ts';
import { webhookProblems } from './webhooks.ts';

test('no key stands in two parts of the table', () => {
  const parts = [
    accountProblems,
    connectionProblems,
    draftProblems,
    linkedinProblems,
    mcpProblems,
    mediaProblems,
    postProblems,
    requestProblems,
    signInProblems,
    labelProblems,
    slotProblems,
    statisticsProblems,
    webhookProblems,
    streamProblems,
  ];
  expect(parts.flatMap(Object.keys).sort()).toEqual(Object.keys(problems).sort());
});

test('every entry has an error status and a text', () => {
  const entries = Object.values<ProblemEntry>(problems);
  expect(entries.filter(({ status }) => status < 400 || status > 599)).toEqual([]);
  expect(entries.filter(({ error }) => error.trim() === '')).toEqual([]);
});

test('a problem has the status and the body of the table, with what the thrower adds', () => {
  const { key, status, body } = new Problem('scheduled_time_past', { serverTime: 'now' });
  expect({ key, status, body }).toEqual({
    key: 'scheduled_time_past',
    status: 400,
    body: { error: 'Scheduled time is in the past', code: 'SCHEDULED_TIME_IN_PAST', serverTime: 'now' },
  });
  const forwarded = new Problem('linkedin_comment_failed', { error: 'Not here' }, 418);
  expect([forwarded.status, forwarded.body]).toEqual([418, { error: 'Not here' }]);
});

test('[errors.code-always] every problem has a code: that of the contract, or its key in capitals', () => {
  expect(codeOf('scheduled_time_past')).toBe('SCHEDULED_TIME_IN_PAST');
  expect(codeOf('linkedin_token_expired')).toBe('LINKEDIN_TOKEN_EXPIRED');
  expect(codeOf('content_required')).toBe('CONTENT_REQUIRED');
});

test('a code of our own never has the name of a code of the contract', () => {
  const contract = Object.values<ProblemEntry>(problems).flatMap(({ code }) => code ?? []);
  const entries = Object.entries<ProblemEntry>(problems);
  const own = entries.flatMap(([key, { code }]) => (code || !isProblemKey(key) ? [] : codeOf(key)));
  expect(own.filter((code) => contract.includes(code))).toEqual([]);
});

test.each([
  ['validation_failed', 'validation.errors lists'],
  ['insufficient_scope', 'API → Keys'],
  ['webhook_url_not_https', 'crier webhooks listen'],
  ['webhook_url_localhost', 'EGRESS_ALLOW'],
  ['webhook_url_private', 'EGRESS_ALLOW'],
] as const)('the hint of %s names %s', (key, words) => {
  expect(new Problem(key).hint).toContain(words);
});

test('every hint belongs to a problem', () => {
  expect(Object.keys(hints).filter((key) => !isProblemKey(key))).toEqual([]);
});
