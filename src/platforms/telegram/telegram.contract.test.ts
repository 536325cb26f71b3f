import { expect } from 'vitest';
import { testPlatform } from '../../../test/platform-contract.ts';
import { telegram } from './index.ts';

testPlatform(telegram, {
  names: ({ id, handle }) => ({ id, handle }),
  refusal: 400,
  hidesForeignPosts: true,
  cannotFind: true,
  processesNothing: true,
  settings: [
    {
      title: 'nothing is sent that was not set',
      settings: {},
      arrives: ({ request }) => expect(request.body).toEqual({ chat_id: expect.any(String), text: 'With settings' }),
    },
    {
      title: 'a silent message is sent as one',
      settings: { disableNotification: true },
      arrives: ({ request }) => expect(request.body).toMatchObject({ disable_notification: true }),
    },
    {
      title: 'a message without link preview is sent as one',
      settings: { disableWebPagePreview: true },
      arrives: ({ request }) => expect(request.body).toMatchObject({ link_preview_options: { is_disabled: true } }),
    },
    {
      title: 'a protected message is sent as one',
      settings: { protectContent: true },
      arrives: ({ request }) => expect(request.body).toMatchObject({ protect_content: true }),
    },
  ],
});
