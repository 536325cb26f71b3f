import { type output, z } from 'zod';
import { apiCalls, apiVersions, OptionalSeconds, secret, Token } from '../kit/index.ts';
import { failureIn, signInFailureIn } from './failure.ts';

export const Credentials = z.object({ accessToken: secret(), refreshToken: secret() });
export type Credentials = output<typeof Credentials>;

export const api = `https://api.pinterest.com/${apiVersions.pinterest.version}`;
export const { call } = apiCalls({ name: 'Pinterest', failureIn });
export const { call: callSignIn } = apiCalls({ name: 'Pinterest', failureIn: signInFailureIn });

// Pinterest's responses, as far as the adapter reads them.
export const PinterestToken = Token.extend({ refresh_token_expires_in: OptionalSeconds });
export type PinterestToken = output<typeof PinterestToken>;
export const UserAccount = z.object({
  /** Missing from some responses. */
  id: z.string().regex(/^\d+$/).optional(),
  username: z.string().regex(/^[^\s/?#]+$/),
  business_name: z.string().nullish(),
  profile_image: z.string().nullish(),
});
