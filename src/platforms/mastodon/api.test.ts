import { expect, test } from 'vitest';
import { OwnAccount, Status } from './api.ts';

const status = { created_at: '2027-03-04T05:06:07Z' };
const account = { username: 'ada', display_name: 'Ada' };

test.each(['109348222000000001', '9vUoQ4Wz0Hq3', '01F8MH75CBF9JFX4ZAD54N0W0R', 'a-b_c.d:1'])(
  '%s is an id of a status and of an account',
  (id) => {
    expect([Status.safeParse({ ...status, id }).success, OwnAccount.safeParse({ ...account, id }).success]).toEqual([
      true,
      true,
    ]);
  },
);

// An id becomes part of paths, and programs print it.
test.each(['', '1/../2', '1?x', '1#x', '1@x', '1 2', '1\n2', '\u009b2J', '\u202egnp', '\0', '1'.repeat(201)])(
  '%j is no id of a status or of an account',
  (id) => {
    expect([Status.safeParse({ ...status, id }).success, OwnAccount.safeParse({ ...account, id }).success]).toEqual([
      false,
      false,
    ]);
  },
);
