import { asText, asTexts } from '../../../http/coerce.ts';
import { type HttpResponse, json } from '../../../http/http-response.ts';
import type { Call } from '../../../platform.ts';
import { invalid } from '../errors.ts';
import { isScope } from './scopes.ts';

/** The redirect address of apps that show the code to the user instead of receiving it. */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

/** The server's public key for push messages. It is deprecated here but still sent. */
const vapidKey = 'BCk-QqERU0q-CfYZjcuB6lnyyOYfJ2AifKqfeGIm7Z-HiTU5T9eTG5GxVA0_OH5mMlI4UkkDTpaZwozy0TzdZ2M=';

export function registerApp(call: Call): HttpResponse {
  const { fields } = call.body;
  const name = asText(fields.client_name);
  const redirectUris = asTexts(fields.redirect_uris)
    .flatMap((line) => line.split(/\s+/))
    .filter(Boolean);
  const scopes = asText(fields.scopes).split(/\s+/).filter(Boolean);
  if (name === '') invalid("Application name can't be blank");
  if (redirectUris.length === 0) invalid("Redirect URI can't be blank");
  if (!redirectUris.every((uri) => uri === outOfBand || URL.canParse(uri))) {
    invalid('Redirect URI must be an absolute URI.');
  }
  if (!scopes.every((scope) => isScope(scope, call.host))) invalid("Scopes doesn't match configured on the server.");
  const { store } = call.sandbox;
  const app = store.apps.add({
    platform: 'mastodon',
    name,
    website: asText(fields.website) || null,
    redirectUris,
    scope: scopes.join(' ') || 'read',
  });
  return json({
    id: store.ids.snowflake(),
    name,
    website: app.website,
    scopes: app.scope.split(' '),
    redirect_uri: redirectUris.join('\n'),
    redirect_uris: redirectUris,
    client_id: app.clientId,
    client_secret: app.clientSecret,
    client_secret_expires_at: 0,
    vapid_key: vapidKey,
  });
}
