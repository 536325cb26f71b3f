import type { Call } from '../../platform.ts';

export const switches = {
  summonedRepliesOnly:
    'X refuses every reply to an author who has not mentioned or quoted the account, itself included.',
  tweetFieldsOnly: 'X knows only `tweet.fields`, as before OpenAPI 2.167.',
  postFieldsOnly: 'X knows only `post.fields`, as OpenAPI 2.167 has it.',
};

export function isOn(call: Call, name: keyof typeof switches): boolean {
  return call.sandbox.switches.isOn('twitter', name);
}
