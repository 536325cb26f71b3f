import { testPlatform } from '../../../test/platform-contract.ts';
import { linkedin } from './index.ts';

// As a member, whose posts nobody may read. What a company page does differently is tested beside this.
testPlatform(linkedin, {
  names: ({ id, handle }) => ({ id, handle }),
  cannotFind: true,
  ignoresVerifier: true,
  refusesRepeats: true,
  resetUnknown: true,
});
