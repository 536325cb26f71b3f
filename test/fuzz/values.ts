import type { Random } from '../chaos/random.ts';

/** A placeholder for the key `__proto__`, which an object literal cannot have. Replaced when the body becomes text. */
const protoKey = 'the key of prototypes';

const repeated = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length);
const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < depth; i += 1) value = i % 2 === 0 ? [value] : { a: value };
  return value;
};

const oddTexts = ['', ' ', '\0', '\ud800', 'a\udc00b', '\u202e', '\ufeff', "'; drop table users; --", '%s%n'];
const oddNumbers = [0, -1, 1.5, 1e300, -1e300, 2 ** 31, 2 ** 53, Number.MIN_VALUE];
const addresses = [
  'https://10.0.0.1/a.png',
  'https://[::1]/',
  'file:///etc/passwd',
  'https://127.0.0.1:1/',
  'javascript:1',
];
const times = [
  '2027-02-30T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '2027-03-04',
  'now',
  '1e9',
];
const odd: readonly unknown[] = [
  ...[...oddTexts, ...oddNumbers, ...addresses, ...times],
  ...[
    null,
    true,
    false,
    [],
    {},
    [null],
    [[]],
    [{}],
    { [protoKey]: { admin: true } },
    { constructor: { prototype: {} } },
  ],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '../../etc/passwd', '<script>alert(1)</script>'],
];

/** Texts that could take more than linear time, or that are counted in an unusual way. */
const nasty = [
  '[a](',
  '((((',
  '@@@@',
  '####',
  'https://',
  'a\n---\n',
  '[1/2] ',
  '\u200d',
  '\u0301',
  '👨‍👩‍👧',
  '漢',
  'a',
  ' ',
];

export const badIds = [
  ...[
    'x',
    '0',
    'f'.repeat(23),
    'f'.repeat(25),
    'g'.repeat(24),
    '0123456789abcdef01234567',
    '%00',
    '..%2f..',
    '%ff',
    '%',
  ],
  ...[
    '%F0%9F%98%80',
    'x'.repeat(400),
    'x'.repeat(600),
    '..',
    '__proto__',
    'null',
    "'",
    '%2e%2e%2f',
    '-',
    'mastodon-',
    '$ne',
  ],
];

export function oddValue(random: Random): unknown {
  const kind = random.next();
  if (kind < 0.8) return random.pick(odd);
  if (kind < 0.9) return repeated(random.pick(nasty), random.pick([50, 300, 5000, 20_000]));
  if (kind < 0.93) return repeated(random.pick(nasty), random.pick([90_000, 299_999, 300_001]));
  if (kind < 0.96) return Array.from({ length: random.pick([11, 101, 2000]) }, () => random.pick(odd));
  if (kind < 0.98) return nested(random.pick([10, 100, 3000]));
  return Object.fromEntries(Array.from({ length: random.pick([50, 3000]) }, (_, i) => [`field${i}`, i]));
}

/** Changes one thing somewhere inside a value. */
export function mutate(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.1)) return oddValue(random);
  if (Array.isArray(value)) return mutateList(value, random);
  const fields = Object.entries(value);
  const action = random.next();
  if (fields.length === 0 || action < 0.15) {
    const names = [protoKey, 'constructor', '', 'x'.repeat(300), 'contnet', '\0', 'toString'];
    return { ...value, [random.pick(names)]: oddValue(random) };
  }
  const [name, inner] = random.pick(fields);
  if (action < 0.3) return Object.fromEntries(fields.filter(([other]) => other !== name));
  return { ...value, [name]: mutate(inner, random) };
}

function mutateList(list: readonly unknown[], random: Random): unknown {
  const action = random.next();
  if (list.length === 0 || action < 0.2) return [...list, oddValue(random)];
  if (action < 0.4) return [...list, ...list];
  if (action < 0.5) return JSON.stringify(list);
  const at = random.below(list.length);
  return list.map((item, i) => (i === at ? mutate(item, random) : item));
}

const brokenTexts = [
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '7',
  'NaN',
  '{"a":1,}',
  '\ufeff{}',
  '{"a":1e400}',
  '{"a":1}{"b":2}',
];

/** The text of a JSON body, sometimes broken. */
export function bodyText(value: unknown, random: Random): string | Buffer {
  const text = (JSON.stringify(value) ?? '').replaceAll(JSON.stringify(protoKey), '"__proto__"');
  if (random.chance(0.94)) return text;
  const kind = random.below(8);
  if (kind === 0) return text.slice(0, random.below(text.length + 1));
  if (kind === 1) return `${text.slice(0, -1)},"content":"again"}`;
  if (kind === 2) return Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xc0, 0x80, 0x22])]);
  if (kind === 3) return `{"a":${'['.repeat(100_000)}`;
  if (kind === 4) return `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
  if (kind === 5) return `{"content":"${'x'.repeat(random.pick([900_000, 1_100_000, 3_000_000]))}"}`;
  if (kind === 6) return `{"a":${'9'.repeat(20_000)}}`;
  return random.pick(brokenTexts);
}
