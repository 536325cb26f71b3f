import { type output, z } from 'zod';
import { type Account, type PlatformClient, PlatformError } from '../kit/index.ts';
import { type Credentials, call, ifPermitted } from './api.ts';
import { mayPermit, requirePermission } from './scopes.ts';

const Image = z
  .object({ elements: z.array(z.object({ identifiers: z.array(z.object({ identifier: z.string() })) })) })
  .optional();
const Profile = z.object({
  id: z.string().min(1),
  localizedFirstName: z.string().default(''),
  localizedLastName: z.string().default(''),
  vanityName: z.string().optional(),
  profilePicture: z.object({ 'displayImage~': Image }).optional(),
});
const UserInfo = z.object({ sub: z.string().min(1), name: z.string().default(''), picture: z.string().optional() });

const profileFields =
  '(id,localizedFirstName,localizedLastName,vanityName,profilePicture(displayImage~digitalmediaAsset:playableStreams))';

type Access = Pick<Credentials, 'accessToken' | 'scopes' | 'organizationId'>;

/** Depending on its products, an application may read the full profile or only the smaller OpenID Connect one. */
export async function readMember(access: Access, ctx: PlatformClient): Promise<Account> {
  const { accessToken } = access;
  if (mayPermit('read the profile', access)) {
    const reading = call(Profile, { path: `/v2/me?projection=${profileFields}`, accessToken }, ctx);
    // If there is no other way to read the member, LinkedIn's refusal is the result: the member may be restricted.
    const profile = await (mayPermit('read the name', access) ? ifPermitted(reading) : reading);
    if (profile) return memberAccount(profile);
  }
  requirePermission('read the name', access);
  return readUserInfo(accessToken, ctx);
}

function memberAccount(profile: output<typeof Profile>): Account {
  const { id, localizedFirstName, localizedLastName, vanityName, profilePicture } = profile;
  const name = `${localizedFirstName} ${localizedLastName}`.trim() || id;
  return {
    id,
    handle: vanityName ?? name,
    displayName: name,
    avatarUrl: largest(profilePicture?.['displayImage~']),
    profileUrl: vanityName ? `https://www.linkedin.com/in/${encodeURIComponent(vanityName)}` : null,
    traits: { isCompanyPage: false },
  };
}

async function readUserInfo(accessToken: string, ctx: PlatformClient): Promise<Account> {
  const { sub, name, picture } = await call(UserInfo, { path: '/v2/userinfo', accessToken }, ctx);
  return {
    id: sub,
    handle: name || sub,
    displayName: name || sub,
    avatarUrl: picture ?? null,
    profileUrl: null,
    traits: { isCompanyPage: false },
  };
}

/** The company pages that the member may post for. */
export async function readPages(access: Access, ctx: PlatformClient): Promise<Account[]> {
  const ids = (await ifPermitted(readPageIds(access, ctx))) ?? [];
  const pages: Account[] = [];
  for (let at = 0; at < ids.length; at += pageSize) {
    pages.push(...(await describePages(ids.slice(at, at + pageSize), access, ctx)));
  }
  return pages;
}

export async function readPage(organizationId: string, access: Access, ctx: PlatformClient): Promise<Account> {
  const ids = await readPageIds(access, ctx);
  if (!ids.includes(organizationId)) {
    const message =
      'You no longer have a role that allows posting for this LinkedIn page. Ask an administrator of the page for one, then reconnect it.';
    throw new PlatformError('auth', message);
  }
  const [page] = await describePages([organizationId], access, ctx);
  if (!page) throw new PlatformError('auth', 'The LinkedIn page no longer exists. Connect another page.');
  return page;
}

const pageSize = 100;
const postingRoles: ReadonlySet<string> = new Set(['ADMINISTRATOR', 'CONTENT_ADMINISTRATOR', 'CONTENT_ADMIN']);

/** LinkedIn has renamed the field for the page twice. */
const Role = z
  .object({
    role: z.string(),
    organization: z.string().optional(),
    organizationTarget: z.string().optional(),
    organizationalTarget: z.string().optional(),
  })
  .transform(({ role, organization, organizationTarget, organizationalTarget }) => ({
    role,
    urn: organization ?? organizationTarget ?? organizationalTarget ?? '',
  }));
const Roles = z.object({ elements: z.array(Role) });

async function readPageIds(access: Access, ctx: PlatformClient): Promise<string[]> {
  if (!mayPermit('list pages', access)) return [];
  const { accessToken } = access;
  const ids = new Set<string>();
  for (let start = 0; ; start += pageSize) {
    const path = `/rest/organizationAcls?q=roleAssignee&state=APPROVED&start=${start}&count=${pageSize}`;
    const { elements } = await call(Roles, { path, accessToken, finder: true }, ctx);
    for (const { role, urn } of elements) {
      const id = /^urn:li:organization:(\d+)$/.exec(urn)?.[1];
      if (id && postingRoles.has(role)) ids.add(id);
    }
    if (elements.length < pageSize) return [...ids];
  }
}

const Organization = z.object({
  localizedName: z.string().min(1),
  vanityName: z.string().optional(),
});
const Organizations = z.object({ results: z.record(z.string(), Organization) });
const Logos = z.object({
  results: z.record(z.string(), z.object({ logoV2: z.object({ 'original~': Image }).optional() })),
});

async function describePages(ids: string[], { accessToken }: Access, ctx: PlatformClient): Promise<Account[]> {
  const query = `ids=List(${ids.join(',')})`;
  const { results } = await call(Organizations, { path: `/rest/organizationsLookup?${query}`, accessToken }, ctx);
  const logos = await readLogos(query, accessToken, ctx);
  return ids.flatMap((id) => (results[id] ? [pageAccount(id, results[id], logos[id]?.logoV2?.['original~'])] : []));
}

/** Only the legacy API expands the URN of a logo. Logos are optional. */
async function readLogos(query: string, accessToken: string, ctx: PlatformClient) {
  const path = `/v2/organizationsLookup?${query}&projection=(results*(logoV2(original~:playableStreams)))`;
  try {
    return (await call(Logos, { path, accessToken }, ctx)).results;
  } catch (error) {
    if (error instanceof PlatformError) return {};
    throw error;
  }
}

function pageAccount(
  id: string,
  { localizedName, vanityName }: output<typeof Organization>,
  logo: output<typeof Image>,
): Account {
  return {
    id,
    handle: vanityName ?? localizedName,
    displayName: localizedName,
    avatarUrl: largest(logo),
    profileUrl: `https://www.linkedin.com/company/${encodeURIComponent(vanityName ?? id)}`,
    traits: { isCompanyPage: true },
  };
}

/** LinkedIn lists the sizes smallest first. */
const largest = (image: output<typeof Image>) => image?.elements.at(-1)?.identifiers[0]?.identifier ?? null;
