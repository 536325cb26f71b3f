import { testPlatform } from '../../../test/platform-contract.ts';
import { facebook } from './index.ts';

testPlatform(facebook, {
  names: ({ id, handle }) => ({ id, handle }),
  refusal: 400,
  refusesRepeats: true,
  resetUnknown: true,
  ignoresVerifier: true,
});
