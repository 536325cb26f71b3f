import type { output, ZodObject } from 'zod';
import type { Json } from '../../lib/json.ts';
import type { Description, Issue } from './description.ts';
import type { Stats } from './stats.ts';

/**
 * Everything the service knows about one platform. It is a plain object: no base class, no container.
 * The description is data, read by the dashboard, the docs and MCP clients. The rest is behaviour. An optional member is a
 * capability: a platform that cannot do something leaves it out.
 */
export interface Platform<S extends ZodObject = ZodObject, C extends ZodObject = ZodObject> extends Connectable<S, C> {
  /** Only what `limits` and `settings` cannot say. Pure; reports every issue, throws none. */
  validate?(post: PostContent<output<S>>, account: Account): Issue[];

  publish(post: PostContent<output<S>>, ctx: PublishContext<output<C>>): Promise<RemotePost>;
  /** Each part is a step named by `partStep`, so that the engine can read which parts of a broken thread are published. */
  publishThread?(parts: Thread<output<S>>, ctx: PublishContext<output<C>>): Promise<RemotePost[]>;
  /** For platforms where a thread needs a permission that a single post does not. Checked before a thread is scheduled. */
  readonly threadPermission?: ThreadPermission<output<C>>;
  comment?(on: RemotePost, text: string, ctx: PublishContext<output<C>>): Promise<RemotePost>;
  readonly stats?: Stats<output<C>>;

  /** Asks the platform whose credentials these are. Cheap and read-only. */
  testConnection(ctx: Context<output<C>>): Promise<Account>;
  /** For platforms whose test has messages of its own, for refusals too. */
  connectedMessage?(account: Account): string;
  /** Older connections may not have recorded what they were granted. */
  readonly grantsMayBeUnknown?: true;
}

export interface ThreadPermission<C> {
  /** Asks the platform. Fails as `auth` if it refuses the credentials; any other failure leaves the answer unknown. */
  isGranted(ctx: Context<C>): Promise<boolean>;
  /** The issue with a thread of an account that does not have the permission. */
  readonly missing: Issue;
  /** The issue with a thread of an account that is no longer connected. */
  readonly notConnected: Issue;
}

/** A platform that accounts can be connected to, whether or not it can be posted to. */
export interface Connectable<S extends ZodObject = ZodObject, C extends ZodObject = ZodObject> extends Description<S> {
  /** What a connection must hold to act as the account. Stored sealed and parsed when read; `secret()` fields are redacted. */
  readonly credentials: C;
  readonly connect: Connect<output<C>>;
}

/** The two ways to connect. Both return a list, because one login can open several accounts (Facebook pages). */
export type Connect<C> = OAuthConnect<C> | FormConnect<C>;
export interface OAuthConnect<C> {
  readonly kind: 'oauth';
  /** Asked before the person leaves for the platform, e.g. the Mastodon instance. */
  readonly fields?: ZodObject;
  /** The adapter registers an application where it needs one, so the operator has none to set up. */
  readonly ownApplication?: true;
  /** `memo` is passed on to `finish`: what this flow must remember (a registered application). */
  start(request: AuthRequest, ctx: PlatformClient): Promise<{ url: URL; memo?: Json }>;
  finish(callback: AuthCallback, ctx: PlatformClient): Promise<Grant<C>[]>;
  refresh?(credentials: C, ctx: PlatformClient): Promise<Renewed<C>>;
}
export interface FormConnect<C> {
  readonly kind: 'form';
  readonly fields: ZodObject;
  finish(values: Record<string, unknown>, ctx: PlatformClient): Promise<Grant<C>[]>;
  refresh?(credentials: C, ctx: PlatformClient): Promise<Renewed<C>>;
}
export interface Renewed<C> {
  credentials: C;
  /** When the access token expires. */
  expiresAt: Date | null;
  /** When the refresh token expires, where the platform tells. */
  refreshExpiresAt?: Date | null;
}
export interface Grant<C> extends Renewed<C> {
  account: Account;
  /** As the platform granted them, which may be fewer than requested. */
  scopes: string[];
}
/** `connections/` makes `state`, the PKCE verifier and the redirect. An adapter never does. */
export interface AuthRequest {
  redirectUri: string;
  state: string;
  codeChallenge: string;
  fields: Record<string, unknown>;
}
export interface AuthCallback {
  redirectUri: string;
  code: string;
  codeVerifier: string;
  fields: Record<string, unknown>;
  memo: Json;
}

/** All that an adapter can use: no database, no environment, no global clock or fetch. */
export interface PlatformClient {
  /** The standard fetch with a timeout and the egress guard. In sandbox mode it calls the sandbox. Fails only with PlatformError. */
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** The service's clock. */
  now(): Date;
  /** This service's own OAuth application. Fails with PlatformError where the operator has set none up. */
  application(): Application;
}
export interface Application {
  id: string;
  secret: string;
}
export interface Context<C> extends PlatformClient {
  readonly account: Account;
  readonly credentials: C;
}
export interface PublishContext<C> extends Context<C> {
  /** The same in every run of this post and unique to it, for platforms that ignore repeats of a client's token. */
  readonly postId: string;
  readonly step: Step;
  /** Frees the worker while `check` returns null: the post is run again `seconds` later. */
  until<T extends Json>(check: () => Promise<T | null>, seconds: number): Promise<T>;
}

/**
 * Runs `effect` once for this post, for good: its result is stored and returned on every later run.
 * A step that began and never ended has an unknown outcome. `replayable` says that the platform itself ignores the repeat,
 * or that a repeat does no harm; `find` asks the platform; with neither, the post fails as `unknown_outcome` rather than
 * risk a second one. A step that makes a post visible has `find`, or is not replayable.
 */
export type Step = <T extends Json>(name: string, effect: () => Promise<T>, options?: StepOptions<T>) => Promise<T>;
export interface StepOptions<T> {
  replayable?: boolean;
  /** The platform accepts this only once (a container, an upload session), so there is no need to wait for a request in flight. */
  takenOnce?: boolean;
  /** What the effect made, if it exists; null if it provably does not; undefined if the platform cannot tell. */
  find?(since: Date): Promise<T | null | undefined>;
}

export const partStep = (index: number) => `part ${index}`;

export interface PostContent<S = unknown> {
  text: string;
  media: Media[];
  settings: S;
  /** The image to show for the video, where one was uploaded for this platform. */
  thumbnail: Media | null;
}
export type Thread<S = unknown> = readonly [PostContent<S>, ...PostContent<S>[]];
/** A rendition made for this platform. `blob` is file-backed: slice it to upload in chunks. */
export interface Media {
  kind: 'image' | 'video' | 'document';
  type: string;
  altText: string;
  width: number;
  height: number;
  seconds: number | null;
  blob(): Promise<Blob>;
  /** A signed public address, for platforms that fetch media themselves. */
  url(): Promise<URL>;
}
export type Account = {
  /** Unique on this platform for good, and usable in a connection id: no blanks, no `/`, `?` or `#`. */
  id: string;
  handle: string;
  displayName: string;
  avatarUrl: string | null;
  profileUrl: string | null;
  /** What else the adapter needs to know about the account, such as the limits of its instance. */
  traits: { [name: string]: Json };
};
export type RemotePost = { id: string; url: string | null };

/** Only infers types: `publish` sees the real types of `settings` and `credentials`. */
export function definePlatform<S extends ZodObject, C extends ZodObject>(platform: Platform<S, C>): Platform<S, C> {
  return platform;
}
