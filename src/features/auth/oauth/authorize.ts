import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { type Scope, scopeNames } from '../../../foundation/http/scopes.ts';
import { seal, unseal } from '../../../foundation/lib/seal.ts';
import { hashSecret, newSecret } from '../../../foundation/lib/secrets.ts';
import type { CurrentSession } from '../access/session.ts';
import { mailAccessAdded } from '../sessions/access-notice.ts';
import { inLiveSession } from '../sessions/sessions.ts';
import { resourceOf } from './metadata.ts';
import { type CodeRow, insertCode, type OAuthClient, selectClient } from './queries.ts';
import { isRegisteredRedirect } from './redirect-uri.ts';

type AuthorizeApp = Pick<App, 'db' | 'clock' | 'newId' | 'publicUrl' | 'sealingKeys'>;

/** An application's request for access. */
export interface AuthorizationRequest {
  client: OAuthClient;
  redirectUri: string;
  state: string | null;
  codeChallenge: string;
  resource: string;
  /** The permissions that the application requests. */
  scopes: Scope[];
}

export type Query = Readonly<Record<string, string>>;

const codeMs = 60_000;
const consentMs = 10 * 60_000;

/**
 * Parses an application's request. Errors are shown to the user and never sent to the redirect address: anyone can
 * register one, and a link to Crier must not lead there before the user has decided.
 */
export async function readRequest(app: AuthorizeApp, query: Query): Promise<AuthorizationRequest> {
  const client = await selectClient(app.db, query.client_id ?? '');
  if (!client) throw new Problem('authorize_client_unknown');
  const redirectUri = query.redirect_uri ?? (client.redirectUris.length === 1 ? client.redirectUris[0] : undefined);
  if (redirectUri === undefined || !isRegisteredRedirect(redirectUri, client.redirectUris)) {
    throw new Problem('authorize_redirect_mismatch');
  }
  const state = query.state ?? null;
  const { code_challenge: codeChallenge = '', code_challenge_method: method } = query;
  const resource = resourceOf(app, query.resource);
  if (query.response_type !== 'code') throw invalidRequest('response_type must be code');
  if (method !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(codeChallenge)) {
    throw invalidRequest('PKCE with code_challenge_method S256 is required');
  }
  if (resource === null) throw invalidRequest('resource is not part of this service');
  return { client, redirectUri, state, codeChallenge, resource, scopes: askedScopes(query.scope) };
}

const invalidRequest = (reason: string) =>
  new Problem('authorize_request_invalid', {
    error: `The request from the application is not valid: ${reason}. Nothing was sent to the application.`,
  });

/** Ignores unknown scopes, because clients request some of their own from every server. */
function askedScopes(scope = ''): Scope[] {
  const names = scope.split(' ');
  const known = scopeNames.filter((name) => names.includes(name));
  return known.length > 0 ? known : [...scopeNames];
}

type Sealed = Omit<AuthorizationRequest, 'client'> & {
  clientId: string;
  expiresAt: number;
  /** The code that the application gets if the user approves. It can be stored only once, so the consent works once. */
  code: string;
};

/**
 * A token for the form of the consent page. It contains everything the user is shown, can be opened only in the same
 * session, and cannot be forged, so no other site can approve in the user's name.
 */
export function sealConsent(
  app: AuthorizeApp,
  { sessionId }: CurrentSession,
  { client, ...request }: AuthorizationRequest,
): string {
  const expiresAt = app.clock.now().getTime() + consentMs;
  const sealed: Sealed = { ...request, clientId: client.id, expiresAt, code: newSecret() };
  return seal(JSON.stringify(sealed), consentOf(sessionId), app.sealingKeys);
}

export interface Decision {
  consent: string;
  isApproved: boolean;
  /** Whether the user granted this scope to the application. */
  isChosen(scope: Scope): boolean;
}

/** Where the browser goes after the decision: back to the application, with a code or an error. */
export async function decide(
  app: AuthorizeApp,
  person: { session: CurrentSession; request: FastifyRequest },
  { consent, isApproved, isChosen }: Decision,
): Promise<string> {
  const { userId, sessionId } = person.session;
  const request = openConsent(app, sessionId, consent);
  const client = await selectClient(app.db, request.clientId);
  if (!client) throw new Problem('authorize_client_unknown');
  // The user can remove requested scopes but not add any.
  const scopes = isApproved ? request.scopes.filter(isChosen) : [];
  if (isApproved && scopes.length === 0) throw new Problem('authorize_nothing_chosen');
  const { code, redirectUri, codeChallenge, resource } = request;
  const now = app.clock.now();
  const answer: CodeRow = {
    grantId: app.newId(),
    clientId: client.id,
    userId,
    redirectUri,
    codeChallenge,
    resource,
    scopes,
    expiresAt: new Date(now.getTime() + codeMs),
    usedAt: isApproved ? null : now,
  };
  const isFirst = await inLiveSession(app, person.session, async (tx) => {
    const isStored = await insertCode(tx, hashSecret(code), answer, isApproved ? sessionId : null);
    if (isStored && isApproved) await mailAccessAdded(app, tx, { what: 'application', name: client.name }, person);
    return isStored;
  });
  if (!isFirst) throw new Problem('authorize_consent_used');
  if (isApproved) return answerUrl(app, request, { code });
  return answerUrl(app, request, { error: 'access_denied', error_description: 'The user denied access' });
}

function openConsent(app: AuthorizeApp, sessionId: string, consent: string): Sealed {
  try {
    const sealed = JSON.parse(unseal(consent, consentOf(sessionId), app.sealingKeys)) as Sealed;
    // Processes of an earlier version did not seal a code.
    if (sealed.code !== undefined && sealed.expiresAt > app.clock.now().getTime()) return sealed;
  } catch {
    // Not created by us, or created in another session.
  }
  throw new Problem('authorize_consent_invalid');
}

const consentOf = (sessionId: string) => `oauth consent in ${sessionId}`;

/** Includes the issuer, so that an application that talks to several servers cannot mix them up (RFC 9207). */
function answerUrl(
  { publicUrl }: AuthorizeApp,
  { redirectUri, state }: { redirectUri: string; state: string | null },
  answer: Record<string, string>,
): string {
  const url = new URL(redirectUri);
  const all = { ...answer, ...(state !== null && { state }), iss: publicUrl };
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
  return url.href;
}
