import { expect } from 'vitest';
import { testPlatform } from '../../../test/platform-contract.ts';
import { youtube } from './index.ts';

testPlatform(youtube, {
  names: ({ id, handle }) => ({ id, handle }),
  refusal: 400,
  needs: 'video',
  resetUnknown: true,
  // YouTube refuses angle brackets. The metadata tests cover them.
  difficultText: [
    'Grüße 👩‍👩‍👧‍👦🇺🇳 שלום مرحبا 漢字',
    'e\u0301 is not \u00e9',
    '',
    'https://example.com/a?b=c&d=%20#e &amp; "\'\\ $& %s',
  ].join('\n'),
  settings: [
    {
      title: 'title, visibility, tags, category and "made for kids" arrive',
      settings: {
        title: 'The sea',
        privacy: 'unlisted',
        tags: ['sea', 'early dawn'],
        categoryId: '19',
        madeForKids: true,
      },
      arrives: ({ request }) =>
        expect(request.body).toEqual({
          snippet: {
            title: 'The sea',
            description: 'With settings',
            tags: ['sea', 'early dawn'],
            categoryId: '19',
          },
          status: { privacyStatus: 'unlisted', selfDeclaredMadeForKids: true },
        }),
    },
    {
      title: 'a video is declared not to be made for kids if nothing was set',
      settings: {},
      arrives: ({ request }) =>
        expect(request.body).toMatchObject({
          status: { privacyStatus: 'public', selfDeclaredMadeForKids: false },
        }),
    },
  ],
});
