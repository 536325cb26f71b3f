import { testPlatform } from '../../../test/platform-contract.ts';
import { mastodon } from './index.ts';

testPlatform(mastodon, {
  names: ({ id, handle }) => ({ id: `${id}@mastodon.social`, handle: `${handle}@mastodon.social` }),
  connectFields: { instance: '@ann@Mastodon.Social' },
});
