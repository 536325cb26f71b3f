import { empty, type HttpResponse } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import { readInput } from './input.ts';
import { text } from './repo/lexicon.ts';
import { authenticate } from './sign-in/authenticate.ts';

const uri = text({ format: 'at-uri' });

/** A bookmark is private: it makes no record and only raises a count. */
export function createBookmark(call: Call): HttpResponse {
  const input = readInput(call, { uri, cid: text({ format: 'cid' }) });
  return setBookmark(call, String(input.uri), true);
}

export function deleteBookmark(call: Call): HttpResponse {
  return setBookmark(call, String(readInput(call, { uri }).uri), false);
}

function setBookmark(call: Call, subject: string, isOn: boolean): HttpResponse {
  const account = authenticate(call);
  const { posts, reactions } = call.sandbox.store;
  const post = posts.find('bluesky', subject);
  if (post && isOn) reactions.add(post, account.id, 'bookmark');
  if (post && !isOn) reactions.remove(post, account.id, 'bookmark');
  return empty(200);
}
