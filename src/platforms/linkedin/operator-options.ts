import { apiVersions, type OperatorOption, type PlatformClient, scopesIn } from '../kit/index.ts';

/**
 * The scopes for publishing, comments, reading who commented, company pages and statistics. All of them come with the
 * Community Management API, which needs a separate application.
 */
const everyScope = [
  'r_basicprofile',
  'w_member_social',
  'w_member_social_feed',
  'r_member_social_feed',
  'r_member_postAnalytics',
  'r_member_profileAnalytics',
  'rw_organization_admin',
  'r_organization_social',
  'w_organization_social',
  'r_organization_social_feed',
  'w_organization_social_feed',
];

const { version, endsOn } = apiVersions.linkedin;

export const options = {
  SCOPES: {
    about:
      'Scopes that Crier requests from LinkedIn. Your LinkedIn application must have all of them, or LinkedIn rejects the sign-in. ' +
      'Without the Community Management API, use: openid profile w_member_social. If you change them, people who are already connected must reconnect.',
    standard: everyScope.join(' '),
    pattern: /^\w+([\s,]+\w+)*$/,
    mistake: 'is not a list of scopes: write their names separated by spaces, such as openid profile w_member_social',
  },
  VERSION: {
    about: `The LinkedIn API version. LinkedIn retires each version after a year: ${version} ends about ${endsOn}.`,
    standard: version,
    pattern: /^20\d{2}(0[1-9]|1[0-2])$/,
    mistake: `is not a LinkedIn API version: write a year and a month, such as ${version}`,
  },
} as const satisfies Record<string, OperatorOption>;

type Ctx = Pick<PlatformClient, 'options'>;

export const requestedScopes = (ctx: Ctx) => scopesIn(ctx.options.SCOPES ?? options.SCOPES.standard);
export const apiVersion = (ctx: Ctx) => ctx.options.VERSION ?? options.VERSION.standard;
