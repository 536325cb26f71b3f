import { testPlatform } from '../../../test/platform-contract.ts';
import { instagram } from './index.ts';

testPlatform(instagram, {
  names: ({ id, handle }) => ({ id, handle }),
  needs: 'image',
  refusal: 400,
  resetUnknown: true,
  ignoresVerifier: true,
});
