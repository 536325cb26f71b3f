import type { output, ZodObject } from 'zod';
import type { Json } from '../../lib/json.ts';
import type { Description, Issue, PlatformId } from './description.ts';
import type { Stats } from './stats.ts';

/**
 * Everything the service knows about one network. A plain object: no base class, no container.
 * The description is data, read by the dashboard, the docs and MCP clients. The rest is behaviour. An optional
 * member is a capability: leaving it out is how a network says "I can't".
 */
export interface Platform<S extends ZodObject = ZodObject, C extends ZodObject = ZodObject> extends Connectable<S, C> {
  readonly id: PlatformId;

  /** Only what `limits` and `settings` cannot say. Pure; reports every issue, throws none. */
  validate?(post: PostContent<output<S>>, account: Account): Issue[];

  publish(post: PostContent<output<S>>, ctx: PublishContext<output<C>>): Promise<RemotePost>;
  /** Each part is a step named by `partStep`: of a chain that breaks off, the engine reads there what is out. */
  publishThread?(parts: Thread<output<S>>, ctx: PublishContext<output<C>>): Promise<RemotePost[]>;
  /** Where a thread takes a permission that a single post does not: looked at before one is scheduled. */
  readonly threadPermission?: ThreadPermission<output<C>>;
  comment?(on: RemotePost, text: string, ctx: PublishContext<output<C>>): Promise<RemotePost>;
  readonly stats?: Stats<output<C>>;

  /** Asks the network who we are. Cheap and read-only. */
  testConnection(ctx: Context<output<C>>): Promise<Account>;
  /** For a network that words the outcome of the test itself, its refusals included. */
  connectedMessage?(account: Account): string;
  /** Connections of the past may not know what they were granted. */
  readonly grantsMayBeUnknown?: true;
}

export interface ThreadPermission<C> {
  /** Asks the network. Fails as `auth` if it refuses the credentials; after any other failure nobody knows. */
  isGranted(ctx: Context<C>): Promise<boolean>;
  /** What is wrong with the thread of an account that does not have it. */
  readonly missing: Issue;
  /** What is wrong with that of an account that is no longer connected. */
  readonly notConnected: Issue;
}

/** A network that accounts can be connected to, whether or not it can be posted to. */
export interface Connectable<S extends ZodObject = ZodObject, C extends ZodObject = ZodObject> extends Description<S> {
  /** What a connection must hold to act as the account. Stored sealed, parsed when read; `secret()` fields are redacted. */
  readonly credentials: C;
  readonly connect: Connect<output<C>>;
}

/** Two ways in. Both end in a list, because one login can open several accounts (Facebook pages). */
export type Connect<C> = OAuthConnect<C> | FormConnect<C>;
export interface OAuthConnect<C> {
  readonly kind: 'oauth';
  /** Asked before leaving for the network, e.g. the Mastodon instance. */
  readonly fields?: ZodObject;
  /** The adapter makes an application where it is needed: the operator has none to set up. */
  readonly ownApplication?: true;
  /** `memo` comes back to `finish` as it was: what this flow must remember (a registered application). */
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
  /** Of the access token. */
  expiresAt: Date | null;
  /** Of the refresh token, where the network tells. */
  refreshExpiresAt?: Date | null;
}
export interface Grant<C> extends Renewed<C> {
  account: Account;
  /** As the network granted them, which may be fewer than asked for. */
  scopes: string[];
}
/** `state`, the PKCE verifier and the redirect are made by `connections/`, never by an adapter. */
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

/** All an adapter can reach: no database, no environment, no global clock or fetch. */
export interface PlatformClient {
  /** The standard fetch, timed, guarded and logged. In sandbox mode it leads to the sandbox. Fails only with PlatformError. */
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** The service's clock. */
  now(): Date;
  /** Ours at this network, for OAuth. Fails with PlatformError where the operator has set none up. */
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
  /** The same for every run at this post, different for every other: for networks that ignore repeats of a client's token. */
  readonly postId: string;
  readonly step: Step;
  /** Frees the worker until `check` answers: the post comes back `seconds` later. */
  until<T extends Json>(check: () => Promise<T | null>, seconds: number): Promise<T>;
}

/**
 * Runs `effect` once for this post, for good: its result is stored and given back on every later run.
 * A step that began and never ended has an unknown outcome. `replayable` says that the network itself ignores
 * the repeat, or that a repeat does no harm; `find` asks the network; with neither, the post fails as
 * `unknown_outcome` rather than risk a second one. What makes a post visible brings `find`, or is not replayable.
 */
export type Step = <T extends Json>(name: string, effect: () => Promise<T>, options?: StepOptions<T>) => Promise<T>;
export interface StepOptions<T> {
  replayable?: boolean;
  /** The network takes this very thing only once (a container, an upload session): no need to wait for what may be on its way. */
  takenOnce?: boolean;
  /** What the effect made, if it is there; null if it is provably not; undefined if the network can't tell. */
  find?(since: Date): Promise<T | null | undefined>;
}

export const partStep = (index: number) => `part ${index}`;

export interface PostContent<S = unknown> {
  text: string;
  media: Media[];
  settings: S;
  /** The picture to stand for the video, where one was uploaded for this network. */
  thumbnail: Media | null;
}
export type Thread<S = unknown> = readonly [PostContent<S>, ...PostContent<S>[]];
/** A rendition made for this network. `blob` is file-backed: slice it to upload in chunks. */
export interface Media {
  kind: 'image' | 'video' | 'document';
  type: string;
  altText: string;
  width: number;
  height: number;
  seconds: number | null;
  blob(): Promise<Blob>;
  /** A signed public address, for the networks that fetch media themselves. */
  url(): Promise<URL>;
}
export type Account = {
  /** Unique on this network for good, and usable in a connection id: no blanks, no `/`, `?` or `#`. */
  id: string;
  handle: string;
  displayName: string;
  avatarUrl: string | null;
  profileUrl: string | null;
  /** What else the adapter wants to know of the account, such as the limits of its instance. */
  traits: { [name: string]: Json };
};
export type RemotePost = { id: string; url: string | null };

/** Does nothing but infer: `publish` sees the real types of `settings` and `credentials`. */
export function definePlatform<S extends ZodObject, C extends ZodObject>(platform: Platform<S, C>): Platform<S, C> {
  return platform;
}
