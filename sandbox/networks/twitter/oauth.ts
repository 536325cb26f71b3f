import { createHash } from 'node:crypto';
import { type Answer, html, redirect } from '../../answer.ts';
import { application } from '../../application.ts';
import type { Call } from '../../network.ts';
import { consentPage, readConsent, withParameters } from '../../oauth.ts';
import { messagePage } from '../../pages/layout.ts';
import { errors } from './errors.ts';
import { isSite } from './hosts.ts';

const maxStateCharacters = 500;
const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];
const knownScopes = [
  'tweet.read',
  'tweet.write',
  'tweet.moderate.write',
  'users.email',
  'users.read',
  'follows.read',
  'follows.write',
  'offline.access',
  'space.read',
  'mute.read',
  'mute.write',
  'like.read',
  'like.write',
  'list.read',
  'list.write',
  'block.read',
  'block.write',
  'bookmark.read',
  'bookmark.write',
  'dm.read',
  'dm.write',
  'media.write',
];

export function authorize(call: Call): Answer {
  if (!isSite(call.host)) return errors.status(404, call);
  const asked = readAuthorization(call);
  if (asked === null) return refusal();
  const accounts = call.sandbox.store.accounts.list('twitter');
  return html(consentPage(call, { app: 'Crier', scopes: asked.scopes, accounts }));
}

export function allow(call: Call): Answer {
  if (!isSite(call.host)) return errors.status(404, call);
  const asked = readAuthorization(call);
  if (asked === null) return refusal();
  const { redirectUri, scopes, state, codeChallenge } = asked;
  const consent = readConsent(call);
  if (consent === 'invalid')
    return html(messagePage('This handle does not work', 'Letters, digits and _, at most 15.'), 422);
  if (consent === 'denied') return redirect(withParameters(redirectUri, { error: 'access_denied', state }));
  const code = call.sandbox.store.apps.addCode({
    network: 'twitter',
    clientId: application.clientId,
    accountId: consent.id,
    redirectUri,
    scope: scopes.join(' '),
    codeChallenge,
    data: {},
  });
  return redirect(withParameters(redirectUri, { state, code }));
}

/** Null where anything is wrong: the vendor says no more than that, and sends nobody anywhere. */
function readAuthorization(call: Call) {
  const [clientId, redirectUri, state, scope, challenge, method] = [
    'client_id',
    'redirect_uri',
    'state',
    'scope',
    'code_challenge',
    'code_challenge_method',
  ].map((name) => call.query.get(name) ?? '') as [string, string, string, string, string, string];
  const scopes = scope.split(' ').filter(Boolean);
  const isGood =
    clientId === application.clientId &&
    call.query.get('response_type') === 'code' &&
    isAllowedRedirect(redirectUri) &&
    state !== '' &&
    state.length <= maxStateCharacters &&
    scopes.length > 0 &&
    scopes.every((name) => knownScopes.includes(name)) &&
    challenge !== '' &&
    ['S256', 'plain', ''].includes(method);
  if (!isGood) return null;
  // A plain challenge is the verifier itself: kept as its hash, both kinds are checked alike.
  const codeChallenge = method === 'S256' ? challenge : createHash('sha256').update(challenge).digest('base64url');
  return { redirectUri, scopes, state, codeChallenge };
}

function isAllowedRedirect(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && loopbackHosts.includes(hostname));
}

function refusal(): Answer {
  const text = 'You weren’t able to give access to the App. Go back and try logging in again.';
  return html(messagePage('Something went wrong', text), 400);
}
