import { type HttpResponse, json } from '../../../http/http-response.ts';
import type { JsonObject } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import { playableStreams, project } from '../rest-li/projection.ts';
import { authenticate, requireScope } from './authenticate.ts';

export function userinfo(call: Call): HttpResponse {
  const caller = authenticate(call);
  requireScope(call, caller, ['openid', 'profile'], 'userinfo.GET');
  return json(presentIdentity(caller.member, caller.scopes));
}

/** The claims of OpenID Connect. Claims without their scope are left out. */
export function presentIdentity(member: Account, scopes: readonly string[]): JsonObject {
  const { givenName = '', familyName = '' } = member.data;
  return {
    sub: member.id,
    ...(scopes.includes('profile') && {
      name: member.displayName,
      given_name: givenName,
      family_name: familyName,
      picture: member.avatarUrl,
      locale: { country: 'US', language: 'en' },
    }),
    ...(scopes.includes('email') && { email: `${member.handle}@example.com`, email_verified: true }),
  };
}

export function me(call: Call): HttpResponse {
  const caller = authenticate(call);
  requireScope(call, caller, ['r_basicprofile'], 'me.GET');
  const { id, handle, data, avatarUrl } = caller.member;
  const { givenName = '', familyName = '' } = data;
  const profile = {
    id,
    vanityName: handle,
    localizedFirstName: givenName,
    localizedLastName: familyName,
    localizedHeadline: 'A member of the sandbox',
    firstName: localized(givenName),
    lastName: localized(familyName),
    profilePicture: { displayImage: `urn:li:digitalmediaAsset:${id}` },
  };
  return json(project(call, profile, () => playableStreams(avatarUrl)));
}

function localized(text: JsonObject[string]): JsonObject {
  return { localized: { en_US: text }, preferredLocale: { country: 'US', language: 'en' } };
}
