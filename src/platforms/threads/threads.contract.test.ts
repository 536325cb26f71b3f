import { expect } from 'vitest';
import { testPlatform } from '../../../test/platform-contract.ts';
import { threads } from './index.ts';

testPlatform(threads, {
  names: ({ id, handle }) => ({ id, handle }),
  refusal: 400,
  hidesForeignPosts: true,
  resetUnknown: true,
  ignoresVerifier: true,
  settings: [
    {
      title: 'who may reply arrives',
      settings: { replyControl: 'mentioned_only' },
      arrives: ({ request }) => expect(request.body).toMatchObject({ container: { reply_control: 'mentioned_only' } }),
    },
  ],
});
