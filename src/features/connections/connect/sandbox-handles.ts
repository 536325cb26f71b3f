import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { App } from '../../../app.ts';

const moods = (
  'amber bold brave brisk calm clear early happy jolly keen kind lively lucky merry ' +
  'mild noble quick quiet rosy sunny swift tidy warm witty'
).split(' ');
const animals = (
  'badger beaver crane dove eagle falcon finch gull hare heron ibis koala lark lynx ' +
  'magpie moose otter owl panda puffin raven robin seal wren'
).split(' ');

/** Every network accepts letters and digits. X has the lowest limit, 15 characters. */
const maxLength = 15;

/** Returns a function that generates readable, unique handles such as `calmheron417`. */
export function handleMaker(taken: Iterable<string>): () => string {
  const used = new Set(taken);
  return () => {
    for (;;) {
      const handle = `${oneOf(moods)}${oneOf(animals)}${randomInt(100, 10_000)}`;
      if (handle.length > maxLength || used.has(handle)) continue;
      used.add(handle);
      return handle;
    }
  };
}

const Accounts = z.array(z.object({ handle: z.string() }));

/** The handles of all accounts in the sandbox, without their hosts. */
export async function takenHandles({ platformAccess }: Pick<App, 'platformAccess'>, sandboxUrl: string) {
  const response = await platformAccess.fetch(`${sandboxUrl}/_control/accounts`);
  // Some networks add a suffix, as in `ann.bsky.social`.
  return Accounts.parse(await response.json()).map(({ handle }) => handle.split(/[^a-z0-9_]/, 1)[0] ?? handle);
}

const oneOf = (words: readonly string[]) => words[randomInt(words.length)]!;
