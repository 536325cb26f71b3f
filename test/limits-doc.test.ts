import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { planKeys, plans } from '../src/config/plans.ts';
import { signInLimits } from '../src/features/auth/sign-in/throttle.ts';
import { wrongCodeLimits } from '../src/features/auth/sign-in/wrong-codes.ts';
import { signUpMailLimits } from '../src/features/auth/sign-up/throttle.ts';
import { maxAnswerBytes } from '../src/foundation/errors/mcp.ts';
import { mediaLimits } from '../src/foundation/errors/media.ts';
import { postLimits } from '../src/foundation/errors/posts.ts';
import { paces, rates } from '../src/foundation/http/rate-limits/rate-limits.ts';
import { largeBodies } from '../src/foundation/http/requests/large-bodies.ts';
import { maxJsonLevels } from '../src/foundation/lib/json.ts';
import { maxBatch, maxMessageValues } from '../src/surfaces/mcp/routes.ts';

/** The cells of each table in docs/limits.md, without its head. */
async function tables(): Promise<string[][][]> {
  const text = await readFile(new URL('../docs/limits.md', import.meta.url), 'utf8');
  const found = text.split('\n\n').filter((paragraph) => paragraph.startsWith('|'));
  return found.map((table) =>
    table
      .trim()
      .split('\n')
      .slice(2)
      .map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  );
}
const written = (number: number | null) => number?.toLocaleString('en-US') ?? 'unlimited';

test('docs/limits.md has every rate limit with its number', async () => {
  const [requests] = await tables();
  const wanted = Object.values(rates).map(({ limit, seconds }) => [
    written(limit),
    seconds === 60 ? 'a minute' : 'an hour',
  ]);
  expect(requests!.map((row) => row.slice(1))).toEqual(wanted);
});

test('docs/limits.md has the pace of each kind of request', async () => {
  const [, pace] = await tables();
  const wanted = Object.values(paces).map(({ perSecond, burst }) => [written(perSecond), written(burst)]);
  expect(pace!.map((row) => row.slice(1))).toEqual(wanted);
});

test('docs/limits.md has what every plan allows', async () => {
  const [, , allowed] = await tables();
  const wanted = planKeys.map((key) => {
    const { monthlyPosts, scheduledPosts, horizonDays, connections } = plans[key];
    const each = monthlyPosts.scope === 'connection' ? ' for each account' : '';
    return [
      expect.stringContaining(`\`${key}\``),
      written(monthlyPosts.limit) + each,
      written(scheduledPosts),
      written(horizonDays),
      connections === null ? 'as bought' : written(connections),
    ];
  });
  expect(allowed).toEqual(wanted);
});

test('docs/limits.md has the quotas of every plan', async () => {
  const [, , , kept] = await tables();
  const wanted = planKeys.map((key) => {
    const { drafts, uploads, bytes, webhooks } = plans[key].quotas;
    return [key, written(drafts), written(uploads), `${bytes / 1024 ** 3} GB`, written(webhooks)];
  });
  const rows = kept!.flatMap(([names, ...cells]) =>
    names!.split(', ').map((name) => [name.replaceAll('`', ''), ...cells]),
  );
  expect(rows).toEqual(wanted);
});

test('docs/limits.md has the limits of mails by sign-ups', async () => {
  const text = await readFile(new URL('../docs/limits.md', import.meta.url), 'utf8');
  const { addressAndNetwork, address, turnSeconds } = signUpMailLimits;
  expect(text).toContain(`- ${addressAndNetwork} emails an hour to one address for sign-ups from one network.`);
  expect(text).toContain(
    `- ${address} emails an hour to one address for all sign-ups together. After that, one every ${turnSeconds} seconds.`,
  );
});

test('docs/limits.md has the limits of sign-ins', async () => {
  const text = await readFile(new URL('../docs/limits.md', import.meta.url), 'utf8');
  const { accountAndAddress, address, account, turnSeconds } = signInLimits;
  expect(text).toContain(`- ${accountAndAddress} for an account from one address.`);
  expect(text).toContain(`- ${address} from one address for all accounts`);
  expect(text).toContain(
    `- ${account} for an account from all addresses together. After that, one attempt every ${turnSeconds}`,
  );
});

test('docs/limits.md has the limits of wrong codes', async () => {
  const text = await readFile(new URL('../docs/limits.md', import.meta.url), 'utf8');
  const { account, firstWaitSeconds, maxWaitSeconds, knownPerHour, mailFrom } = wrongCodeLimits;
  expect([firstWaitSeconds, mailFrom]).toEqual([3600, 5]);
  expect(text).toContain(
    `- ${account} wrong codes for an account, counting all devices and addresses that have not signed in to it before. After that, Crier rejects codes from the app for an hour, ` +
      `and for twice as long after each further wrong code, up to ${maxWaitSeconds / 3600} hours`,
  );
  expect(text).toContain(`- ${knownPerHour} wrong codes an hour from each device or address`);
  expect(text).toContain('From the fifth wrong code on, the owner gets an email');
});

test('docs/limits.md has the pause after long bodies, and what a body may have', async () => {
  const text = await readFile(new URL('../docs/limits.md', import.meta.url), 'utf8');
  const { characters, restMsPerThousand, maxWaiting } = largeBodies;
  expect(text).toContain(`bodies of more than ${written(characters)} characters`);
  expect(text).toContain(`Crier pauses for ${restMsPerThousand} milliseconds per 1,000 characters`);
  expect(text).toContain(`Up to ${maxWaiting} wait for their turn`);
  expect(text).toContain(`${maxJsonLevels} levels of objects and lists`);
  expect(text).toContain(`${maxMessageValues} fields and list entries in addition to the arguments`);
  expect(text).toContain(`A batch can have ${maxBatch} messages`);
  expect(text).toContain(
    `The responses to one MCP request, including all messages of a batch, can total ${maxAnswerBytes / 1024 ** 2} MB`,
  );
  expect(text).toContain(
    `\`platformContent\` and \`platformMedia\` of a post can have ${written(postLimits.platforms)} entries`,
  );
  expect(text).toContain(`Each list in \`platformMedia\` can have ${mediaLimits.filesPerPost} files`);
  expect(text).toContain(
    `together can have ${written(postLimits.textsLength)} characters. The texts for all connections can have ${written(postLimits.targetTextsLength)} characters in total`,
  );
  expect(text).toContain(`all of a post's lists together can have ${written(mediaLimits.listedFiles)}`);
});
