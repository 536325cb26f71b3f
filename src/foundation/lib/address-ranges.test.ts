import { describe, expect, test } from 'vitest';
import { addressRange, isInRanges } from './address-ranges.ts';

describe('addressRange', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    [' 192.0.2.7 ', '192.0.2.7'],
    ['192.0.2.7/32', '192.0.2.7'],
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['2001:db8:1:2:3::/48', '2001:db8:1::/48'],
    ['::/0', '::/0'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
    ['::1.2.3.4', '::102:304'],
  ])('reads %s as %s', (text, range) => {
    expect(addressRange(text)).toBe(range);
  });

  test.each([
    '',
    'localhost',
    '192.0.2',
    '0300.0.2.7',
    '192.0.2.7/33',
    '192.0.2.7/',
    '192.0.2.7/-1',
    '192.0.2.7/8/8',
    '192.0.2.0/255.255.255.0',
    '192.0.2.7:80',
    '2001:db8::1/129',
    '[2001:db8::1]',
    'fe80::1%eth0',
    '::ffff:10.0.0.0/90',
  ])('refuses %j', (text) => {
    expect(addressRange(text)).toBeNull();
  });
});

describe('isInRanges', () => {
  const ranges = ['192.0.2.7', '10.0.0.0/8', '2001:db8::/32', 'fe80::1'];

  test.each(['192.0.2.7', '10.255.0.1', '::ffff:10.0.0.1', '::ffff:a00:1', '2001:db8:ffff::1', 'fe80::1%eth0'])(
    '%s is in them',
    (address) => {
      expect(isInRanges(address, ranges)).toBe(true);
    },
  );

  test.each(['192.0.2.8', '11.0.0.1', '::ffff:11.0.0.1', '2001:db9::1', '::10.0.0.1', 'unknown', '10.0.0.1:80', ''])(
    '%j is not',
    (address) => {
      expect(isInRanges(address, ranges)).toBe(false);
    },
  );

  test('a range of one family has no address of the other', () => {
    expect(isInRanges('192.0.2.7', ['::/0'])).toBe(false);
    expect(isInRanges('2001:db8::1', ['0.0.0.0/0'])).toBe(false);
    expect(isInRanges('::ffff:192.0.2.7', ['0.0.0.0/0'])).toBe(true);
  });
});
