import * as fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { checkUrl, exceptionsFrom } from './check-url.ts';
import { EgressError } from './egress-error.ts';
import { isPublicAddress } from './public-address.ts';

/** IANA's special-purpose registry, written down independently of the code, and Azure's wire server. */
const refusedRanges = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

const refused = fc
  .tuple(fc.constantFrom(...refusedRanges), fc.nat({ max: 0xffffffff }))
  .map(([range, chance]) => inRange(range, chance));

describe('public are', () => {
  test.each([
    '1.1.1.1',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001:81b::200e',
    '::ffff:93.184.216.34',
    '64:ff9b::5db8:d822',
  ])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test('IPv4 addresses outside of the ranges set aside for something, and no others', () => {
    fc.assert(
      fc.property(fc.nat({ max: 0xffffffff }), (number) => {
        const inside = refusedRanges.some((range) => ipaddr.IPv4.parse(dotted(number)).match(ipaddr.parseCIDR(range)));
        expect(isPublicAddress(dotted(number))).toBe(!inside);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('not public are', () => {
  test.each([
    ['loopback', '127.0.0.1'],
    ['loopback, far end', '127.255.255.254'],
    ['loopback, IPv6', '::1'],
    ['unspecified', '0.0.0.0'],
    ['unspecified, IPv6', '::'],
    ['private', '10.0.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['link-local, and metadata of AWS, Google and others', '169.254.169.254'],
    ['link-local, IPv6', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['a public address with a zone', '2606:4700::1111%eth0'],
    ['site-local', 'fec0::1'],
    ['unique-local', 'fd12:3456::1'],
    ['metadata of AWS, IPv6', 'fd00:ec2::254'],
    ['metadata of Alibaba', '100.100.100.200'],
    ['metadata of Oracle', '192.0.0.192'],
    ['wire server of Azure', '168.63.129.16'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['broadcast', '255.255.255.255'],
    ['multicast', '224.0.0.1'],
    ['multicast, IPv6', 'ff02::1'],
    ['documentation', '192.0.2.1'],
    ['documentation, IPv6', '2001:db8::1'],
    ['documentation, IPv6, newer', '3fff::1'],
    ['benchmarking', '198.18.0.1'],
    ['benchmarking, IPv6', '2001:2::1'],
    ['reserved', '240.0.0.1'],
    ['discard-only', '100::1'],
    ['segment routing', '5f00::1'],
    ['not assigned yet', '4000::1'],
    ['local NAT64', '64:ff9b:1::5db8:d822'],
    ['6to4, whatever it carries', '2002:5db8:d822::1'],
    ['Teredo, whatever it carries', '2001:0:5db8:d822::1'],
    ['IPv4-compatible, whatever it carries', '::93.184.216.34'],
    ['what is no address', 'example.com'],
    ['an address in a short form', '127.1'],
    ['an address in octal', '0177.0.0.1'],
    ['nothing', ''],
  ])('%s: %s', (_name, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test('IPv4 addresses of the refused ranges, in any IPv6 address that carries them', () => {
    fc.assert(
      fc.property(refused, fc.constantFrom(...carriers), fc.nat({ max: 0xffff }), (number, carry, chance) => {
        const address = carry(number, chance);
        expect(ipaddr.IPv6.isValid(address), address).toBe(true);
        expect(isPublicAddress(address), address).toBe(false);
      }),
      { numRuns: 3000 },
    );
  });
});

test('a URL with an IPv4 address of the refused ranges is refused, however it is written', () => {
  const writings = fc.constantFrom(...[...textual, ...carriers.map(bracketed)]);
  fc.assert(
    fc.property(refused, writings, fc.nat({ max: 0xffff }), (number, write, chance) => {
      const url = `https://${write(number, chance)}/`;
      expect(codeOf(url), url).toBe('blocked_host');
    }),
    { numRuns: 3000 },
  );
});

function codeOf(url: string): string {
  try {
    return checkUrl(url, exceptionsFrom([])).href;
  } catch (error) {
    return error instanceof EgressError ? error.code : String(error);
  }
}

type Write = (number: number, chance: number) => string;

/** Everything that the URL parser takes for an IPv4 address. */
const textual: Write[] = [
  dotted,
  (number) => `${dotted(number)}.`,
  (number) => String(number),
  (number) => `0x${number.toString(16)}`,
  (number) => `0X${number.toString(16).toUpperCase()}`,
  (number) => `0${number.toString(8)}`,
  (number) =>
    octets(number)
      .map((octet) => `0x${octet.toString(16)}`)
      .join('.'),
  (number) =>
    octets(number)
      .map((octet) => `0${octet.toString(8)}`)
      .join('.'),
  (number) =>
    octets(number)
      .map((octet) => `000${octet.toString(8)}`)
      .join('.'),
  (number) => `${octets(number)[0]}.${number & 0xffffff}`,
  (number) => `${octets(number).slice(0, 2).join('.')}.${number & 0xffff}`,
  (number) => dotted(number).replaceAll('.', '。'),
  (number) => dotted(number).replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (number) => dotted(number).replace(/\d/g, (digit) => `%3${digit}`),
];

/** All IPv6 forms that reach an IPv4 address. */
const carriers: Write[] = [
  (number) => `::ffff:${dotted(number)}`,
  (number) => `::ffff:${hextets(number)}`,
  (number) => `0:0:0:0:0:FFFF:${hextets(number).toUpperCase()}`,
  (number) => `::${dotted(number)}`,
  (number) => `::ffff:0:${hextets(number)}`,
  (number) => `64:ff9b::${dotted(number)}`,
  (number) => `64:ff9b:1::${hextets(number)}`,
  (number, chance) => `2002:${hextets(number)}::${chance.toString(16)}`,
  (number, chance) => `2001:0:${chance.toString(16)}:1:0:0:${hextets(~number >>> 0)}`,
  (number, chance) => `2001:0:${hextets(number)}:0:0:1:${chance.toString(16)}`,
];

function bracketed(write: Write): Write {
  return (number, chance) => `[${write(number, chance)}]`;
}

function inRange(range: string, chance: number): number {
  const [vendor, bits] = ipaddr.IPv4.parseCIDR(range);
  const first = vendor.toByteArray().reduce((sum, octet) => sum * 256 + octet, 0);
  return first + (chance % 2 ** (32 - bits));
}

function octets(number: number): number[] {
  return [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255];
}

function dotted(number: number): string {
  return octets(number).join('.');
}

function hextets(number: number): string {
  return `${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}`;
}
