import type { PlatformError, VendorApi } from '../../../src/platforms/kit/index.ts';
import { parseJson } from '../../../src/platforms/kit/index.ts';

/** The failure that a vendor module reads from a response. */
export async function failureFrom(
  { failureIn, parseJson: parse = parseJson }: Pick<VendorApi, 'failureIn' | 'parseJson'>,
  response: Response,
  { now = new Date(), secrets = [] as readonly string[] } = {},
): Promise<PlatformError> {
  const failure = failureIn(response, parse(await response.text()), { now, secrets });
  if (!failure) throw new Error('The response reports no failure.');
  return failure;
}
