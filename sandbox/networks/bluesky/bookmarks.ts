import { type Answer, empty } from '../../answer.ts';
import type { Call } from '../../network.ts';
import { readInput } from './input.ts';
import { text } from './lexicon.ts';
import { signIn } from './sign-in.ts';

const uri = text({ format: 'at-uri' });

/** Private to the account: no record, only a count. */
export function createBookmark(call: Call): Answer {
  const input = readInput(call, { uri, cid: text({ format: 'cid' }) });
  return mark(call, String(input.uri), true);
}

export function deleteBookmark(call: Call): Answer {
  return mark(call, String(readInput(call, { uri }).uri), false);
}

function mark(call: Call, subject: string, isOn: boolean): Answer {
  const account = signIn(call);
  const { posts, reactions } = call.sandbox.store;
  const post = posts.find('bluesky', subject);
  if (post && isOn) reactions.add(post, account.id, 'bookmark');
  if (post && !isOn) reactions.remove(post, account.id, 'bookmark');
  return empty(200);
}
