import type { Account } from '../store/accounts.ts';
import type { Token } from '../store/tokens.ts';

/** The differences between the login flows of Instagram and Threads. */
export interface Login {
  readonly platform: string;
  /** All scopes that the consent page knows. The first one is mandatory. */
  readonly scopes: readonly [string, ...string[]];
  readonly grants: { readonly exchange: string; readonly refresh: string };
  readonly tokenPrefix: string;
  /** The scopes that this account grants, out of those requested. */
  granted(account: Account, scopes: readonly string[]): readonly string[];
  /** The fields of the code exchange response besides the token and the user id. */
  present(token: Token): Record<string, unknown>;
}
