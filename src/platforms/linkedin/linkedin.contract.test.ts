import { testPlatform } from '../../../test/platform-contract.ts';
import { linkedin } from './index.ts';

// Runs as a member, whose posts cannot be read: LinkedIn names them when it refuses the repeat. Other tests cover the
// differences of a company page.
testPlatform(linkedin, {
  names: ({ id, handle }) => ({ id, handle }),
  cannotFindComments: true,
  ignoresVerifier: true,
  refusesRepeats: true,
  resetUnknown: true,
});
