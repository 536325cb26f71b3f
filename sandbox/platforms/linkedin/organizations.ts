import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Json } from '../../http/json.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { invalidParameter } from './errors.ts';
import { isPage, pagesOf } from './members.ts';
import { playableStreams, project } from './rest-li/projection.ts';
import { pageOf, readList } from './rest-li/rest-li.ts';
import { urnOf } from './rest-li/urn.ts';
import { authenticate, requireScope } from './sign-in/authenticate.ts';
import { pageAdministration, pageReading } from './sign-in/scopes.ts';

const pageScopes = [...pageAdministration, ...pageReading, 'w_organization_social'];

/** Lists the pages that the caller administers. */
export function organizationAcls(call: Call): HttpResponse {
  const { member, pages } = administration(call, 'organizationAcls.FINDER-roleAssignee');
  const elements = pages.map((page) => ({ ...assignment(member), organization: urnOf(page) }));
  return json(pageOf(call, elements));
}

/** The older form. Its `projection` adds name and logo. */
export function organizationalEntityAcls(call: Call): HttpResponse {
  const { member, pages } = administration(call, 'organizationalEntityAcls.FINDER-roleAssignee');
  const elements = pages.map((page) => ({
    ...assignment(member),
    organizationalTarget: urnOf(page),
    'organizationalTarget~': {
      localizedName: page.displayName,
      vanityName: page.handle,
      logoV2: { 'original~': { elements: [{ identifiers: [{ identifier: page.avatarUrl }] }] } },
    },
  }));
  return json(pageOf(call, elements));
}

export function organizationsLookup(call: Call): HttpResponse {
  requireScope(call, authenticate(call), pageScopes, 'organizationsLookup.BATCH_GET');
  const ids = readList(call, 'ids') ?? invalidParameter('ids');
  const found = ids.flatMap((id) => findPage(call, id) ?? []);
  const known = new Set(found.map(({ id }) => id));
  const missing = ids.filter((id) => !known.has(id));
  const body = {
    results: Object.fromEntries(found.map((page) => [page.id, presentPage(page)])),
    statuses: Object.fromEntries(found.map((page) => [page.id, 200])),
    errors: Object.fromEntries(missing.map((id) => [id, { status: 404, message: 'Could not find organization' }])),
  };
  const logoOf = (urn: Json) => found.find((page) => logoUrn(page) === urn)?.avatarUrl ?? null;
  return json(project(call, body, (urn) => playableStreams(logoOf(urn))));
}

function administration(call: Call, resource: string): { member: Account; pages: Account[] } {
  const caller = authenticate(call);
  requireScope(call, caller, pageScopes, resource);
  if (call.query.get('q') !== 'roleAssignee') invalidParameter('q');
  const [role, state] = [call.query.get('role') ?? 'ADMINISTRATOR', call.query.get('state') ?? 'APPROVED'];
  const isAsked = role === 'ADMINISTRATOR' && state === 'APPROVED';
  const pages = isAsked ? pagesOf(call.sandbox, caller.member).filter((page) => !page.suspended) : [];
  return { member: caller.member, pages };
}

function assignment(member: Account) {
  return { role: 'ADMINISTRATOR', state: 'APPROVED', roleAssignee: urnOf(member) };
}

function presentPage(page: Account) {
  const logo = logoUrn(page);
  return {
    id: Number(page.id),
    $URN: urnOf(page),
    localizedName: page.displayName,
    vanityName: page.handle,
    name: { localized: { en_US: page.displayName }, preferredLocale: { country: 'US', language: 'en' } },
    logoV2: { original: logo, cropped: logo },
    primaryOrganizationType: 'NONE',
    locations: [],
  };
}

const logoUrn = (page: Account) => `urn:li:digitalmediaAsset:${page.id}`;

function findPage(call: Call, id: string): Account | undefined {
  const account = call.sandbox.store.accounts.find('linkedin', id);
  return account && isPage(account) && !account.suspended ? account : undefined;
}
