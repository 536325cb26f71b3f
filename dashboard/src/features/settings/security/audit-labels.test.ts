import { expect, test } from 'vitest';
import { actorOf, subjectOf, textOf } from './audit-labels.ts';

const bakery = { id: 'a'.repeat(24), name: 'Bakery', colour: 'teal' } as const;
const text = 'In the words of the API';

test.each([
  ['connection_added', {}, 'A channel was connected'],
  ['connection_renewed', {}, 'A channel was connected again'],
  ['connection_removed', {}, 'A channel was disconnected'],
  ['member_created', { userId: bakery.id }, 'A brand was added'],
  ['member_created', { ownerId: bakery.id }, text],
  ['access_changed', { workspace: true }, 'Workspace access was turned on'],
  ['access_changed', { api: true, mcp: false }, 'API access was turned on, MCP access was turned off'],
  ['access_changed', {}, text],
  ['signed_in', {}, text],
])('%s with %j: “%s”', (event, details, shown) => {
  expect(textOf({ event, text, details })).toBe(shown);
});

test('a brand has its name instead of the address of its account', () => {
  const email = `brand-${crypto.randomUUID()}@managed.invalid`;
  const subject = (details: Record<string, string>) => subjectOf({ details }, [], [bakery]);
  expect(subject({ userId: bakery.id, email })).toBe('Bakery');
  // It was detached, and an entry of then may have its name.
  expect(subject({ userId: 'b'.repeat(24), email, name: 'Garage' })).toBe('Garage');
  expect(subject({ userId: 'b'.repeat(24), email })).toBeNull();
  expect(subject({ userId: 'b'.repeat(24), email: 'garage@example.com' })).toBe('garage@example.com');
});

test('a channel that was disconnected keeps its handle', () => {
  expect(subjectOf({ details: { platformId: 'mastodon-1', handle: 'ada@example.social' } }, [], [])).toBe(
    'ada@example.social',
  );
});

test('the log of a brand names the person, and one’s own the workspace owner', () => {
  expect(textOf({ event: 'member_created', text, details: { ownerId: bakery.id } }, true)).toBe('A brand was added');
  const entry = { actor: { kind: 'workspace_owner', name: 'Ann' }, address: null } as const;
  expect(actorOf(entry, true)).toBe('by Ann');
  expect(actorOf(entry)).toBe('by your workspace owner');
});
