import { pino } from 'pino';
import { expect, test } from 'vitest';
import { consentRefusal } from './consent-refusal.ts';

function refuse(answer: { error?: string; error_description?: string }) {
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const problem = consentRefusal({ log }, { id: 'twitter', name: 'X' }, answer);
  return { problem, lines };
}

test('what the network said is logged for the operator', () => {
  const { lines } = refuse({ error: 'unauthorized_client', error_description: 'Not approved yet.' });
  expect(lines).toMatchObject([
    { level: 40, platform: 'twitter', error: 'unauthorized_client', errorDescription: 'Not approved yet' },
  ]);
});

test('a declined consent is not logged', () => {
  expect(refuse({ error: 'access_denied' }).lines).toEqual([]);
});

test('a description has at most 500 characters, without what the database cannot store', () => {
  const { problem, lines } = refuse({ error: 'x', error_description: `\u0000${'a'.repeat(10_000)}` });
  expect(String(problem.body.error).length).toBeLessThan(700);
  expect(JSON.stringify([problem.body, lines])).not.toContain('\\u0000');
});
