import { testPlatform } from '../../../test/platform-contract.ts';
import { twitter } from './index.ts';

testPlatform(twitter, {
  names: ({ id, handle }) => ({ id, handle }),
  refusal: 400,
  refusesRepeats: true,
});
