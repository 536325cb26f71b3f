import { CrierError } from '@crier/client';
import { expect, test } from 'vitest';
import { describe } from './error-state.tsx';

const refused = (hint: string) =>
  describe(new CrierError('Refused', { code: 'REFUSED', status: 400, body: { error: 'Refused', hint } }));

test('a hint that helps a person is shown, and one that names a route is not', () => {
  expect(refused('Choose a time within a year.').hint).toBe('Choose a time within a year.');
  expect(refused('Set weekly times with PUT /posting-slots, or send a time.').hint).toBeUndefined();
});
