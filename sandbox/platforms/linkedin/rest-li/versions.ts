import type { HttpResponse } from '../../../http/http-response.ts';
import type { Call } from '../../../platform.ts';
import { error } from '../errors.ts';

/** The existing versions, each with its announced end; null when none is announced. */
const sunsets: Record<string, string | null> = {
  202510: '2026-10-15',
  202511: '2026-11-16',
  202601: '2027-01-15',
  202602: '2027-02-15',
  202603: '2027-03-16',
  202604: '2027-04-15',
  202605: '2027-05-15',
  202606: '2027-06-15',
  202607: '2027-07-15',
  202608: null,
  202609: null,
};

/** Every call under /rest must name its API version. */
export function checkVersion(call: Call): HttpResponse | undefined {
  if (!call.path.startsWith('/rest/')) return undefined;
  const version = call.headers['linkedin-version'];
  if (typeof version !== 'string' || version === '') {
    return error(
      400,
      'VERSION_MISSING',
      'A version must be present. Please specify a version by adding the Linkedin-Version header.',
    );
  }
  const sunset = sunsets[version];
  if (sunset === undefined || (sunset !== null && Date.parse(sunset) <= call.sandbox.now())) {
    return error(426, 'NONEXISTENT_VERSION', `Requested version ${version} is not active`);
  }
  return undefined;
}

export function isSince(call: Call, version: string): boolean {
  return String(call.headers['linkedin-version']) >= version;
}
