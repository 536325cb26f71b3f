import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { findActor } from './accounts.ts';
import { invalid } from './errors.ts';
import { hostRole, selfHostedServer } from './hosts.ts';
import { readParameter } from './input.ts';

const context = ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'];

export function resolveHandle(call: Call): HttpResponse {
  const handle = readParameter(call, 'handle');
  const account = findActor(call.sandbox, handle);
  if (!account || account.id === handle) invalid('Unable to resolve handle', 'HandleNotFound');
  return json({ did: account.id });
}

/** An entry of the PLC directory, which holds every `did:plc`. */
export function directoryEntry(call: Call): HttpResponse {
  const did = call.params.did ?? '';
  if (!/^did:plc:[a-z2-7]{24}$/.test(did)) return json({ message: `Invalid DID: ${did}` }, 400);
  const account = call.sandbox.store.accounts.find('bluesky', did);
  if (!account) return json({ message: `DID not registered: ${did}` }, 404);
  return json(didDocument(account), 200, { 'content-type': 'application/did+ld+json; charset=utf-8' });
}

/** The `did:web` document of a server, or of an account that uses `did:web`. */
export function wellKnownDocument(call: Call): HttpResponse {
  const account = call.sandbox.store.accounts.find('bluesky', `did:web:${call.host}`);
  if (account) return json(didDocument(account));
  if (hostRole(call.host) === 'handle') return json({ error: 'NotFound', message: 'not found' }, 404);
  return json({ '@context': context, id: `did:web:${call.host}`, service: servicesOf(call.host) });
}

export function didDocument(account: Account) {
  const did = account.id;
  return {
    '@context': context,
    id: did,
    alsoKnownAs: [`at://${account.handle}`],
    verificationMethod: [
      {
        id: `${did}#atproto`,
        type: 'Multikey',
        controller: did,
        publicKeyMultibase: 'zQ3shXjHeiBuRCKmM36cuYnm7YEMzhGnCmCyW92sRJ9pribSF',
      },
    ],
    service: [
      { id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: `https://${account.data.pds}` },
    ],
  };
}

/** A server's own DID document for an account. A server behind a proxy often knows only its internal address. */
export function ownDocument(account: Account) {
  const document = didDocument(account);
  if (account.data.pds !== selfHostedServer) return document;
  return {
    ...document,
    service: document.service.map((entry) => ({ ...entry, serviceEndpoint: 'http://localhost:2583' })),
  };
}

function servicesOf(host: string) {
  const serviceEndpoint = `https://${host}`;
  if (hostRole(host) === 'appview') return [{ id: '#bsky_appview', type: 'BskyAppView', serviceEndpoint }];
  return hostRole(host) === 'pds' ? [{ id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint }] : [];
}
