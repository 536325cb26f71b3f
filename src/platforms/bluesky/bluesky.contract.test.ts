import { testPlatform } from '../../../test/platform-contract.ts';
import { bluesky } from './index.ts';

testPlatform(bluesky, {
  names: ({ id, handle }) => ({ id, handle }),
  refusal: 400,
});
