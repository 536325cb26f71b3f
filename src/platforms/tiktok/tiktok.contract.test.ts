import { testPlatform } from '../../../test/platform-contract.ts';
import { tiktok } from './index.ts';

testPlatform(tiktok, {
  names: ({ id, handle }) => ({ id, handle }),
  needs: 'video',
  postedBy: 'upload',
  refusal: 400,
  ignoresVerifier: true,
  resetUnknown: true,
});
