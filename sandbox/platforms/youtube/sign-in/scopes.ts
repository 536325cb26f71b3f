const auth = 'https://www.googleapis.com/auth';
const youtube = `${auth}/youtube`;
const upload = `${auth}/youtube.upload`;
const forceSsl = `${auth}/youtube.force-ssl`;
const readonly = `${auth}/youtube.readonly`;
const partner = `${auth}/youtubepartner`;
const profile = `${auth}/userinfo.profile`;
const analytics = `${auth}/yt-analytics.readonly`;

const knownScopes = [youtube, upload, forceSsl, readonly, partner, profile, analytics, `${auth}/userinfo.email`];
/** The OpenID names of scopes and Google's own names for them. */
const aliases: Record<string, string> = { openid: 'openid', profile, email: `${auth}/userinfo.email` };

export const everyScope = [upload, youtube, forceSsl, readonly, analytics, profile, 'openid'].join(' ');

/** One of the scopes is enough. */
export const uploading = [upload, youtube, forceSsl, partner];
export const managing = [youtube, forceSsl, partner];
export const commenting = [forceSsl];
export const reading = [readonly, youtube, forceSsl, partner];
export const measuring = [analytics];

/** Returns null for an unknown scope. */
export function readScope(name: string): string | null {
  return aliases[name] ?? (knownScopes.includes(name) ? name : null);
}

export function splitScopes(scope: string): string[] {
  return scope.split(/\s+/).filter(Boolean);
}
