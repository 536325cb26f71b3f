import type { output, ZodObject } from 'zod';
import type { Json } from '../../foundation/lib/json.ts';
import type { Account, Context, PlatformClient } from './context.ts';
import type { Description, Issue } from './description.ts';
import type { PlatformError } from './failure.ts';
import type { Found } from './found.ts';
import type { Removal } from './removal.ts';
import type { Stats } from './stats.ts';

/**
 * Everything the service knows about one platform, as a plain object without a base class or container. The description
 * is data for the dashboard, the docs and MCP clients; the rest is behaviour. An optional member is a capability: a
 * platform without it omits it.
 */
export interface Platform<S extends ZodObject = ZodObject, C extends ZodObject = ZodObject> extends Connectable<S, C> {
  /** Checks what `limits` and `settings` cannot express. Pure; returns every issue and does not throw. */
  validate?(post: PostContent<output<S>>, account: Account): Issue[];

  publish(post: PostContent<output<S>>, ctx: PublishContext<output<C>>): Promise<RemotePost>;
  /**
   * Each part is a step named by `partStep`: if a later part fails, the publisher reads from the steps which parts are
   * published.
   */
  publishThread?(parts: Thread<output<S>>, ctx: PublishContext<output<C>>): Promise<RemotePost[]>;
  /** A permission that a thread needs and a single post does not. Checked before a thread is scheduled. */
  readonly threadPermission?: ThreadPermission<output<C>>;
  /** Like `validate`, for the text of a first comment. */
  validateComment?(text: string): Issue[];
  comment?(on: RemotePost, text: string, ctx: PublishContext<output<C>>): Promise<RemoteComment>;
  /** Deletes one post, one part of a thread or one comment of the account, by its id. Safe to repeat. */
  remove?(id: string, ctx: Context<output<C>>): Promise<Removal>;
  readonly stats?: Stats<output<C>>;

  /** Asks the platform for the account of the credentials. Cheap and read-only. */
  testConnection(ctx: Context<output<C>>): Promise<Account>;
  /** The message of a successful connection test. If present, the platform's own text is shown for a failed one too. */
  connectedMessage?(account: Account): string;
  /** Older connections may have been stored without their scopes. */
  readonly grantsMayBeUnknown?: true;
}

export interface ThreadPermission<C> {
  /**
   * Asks the platform. Throws `auth` if it refuses the credentials; any other failure means that the result is unknown.
   */
  isGranted(ctx: Context<C>): Promise<boolean>;
  /** The issue for an account without the permission. */
  readonly missing: Issue;
  /** The issue for an account that is no longer connected. */
  readonly notConnected: Issue;
}

/** A platform that accounts can be connected to, whether or not it can be posted to. */
export interface Connectable<S extends ZodObject = ZodObject, C extends ZodObject = ZodObject> extends Description<S> {
  /** The credentials for acting as the account. Stored encrypted, parsed when read; `secret()` fields are redacted. */
  readonly credentials: C;
  readonly connect: Connect<output<C>>;
  readonly withdrawal?: Withdrawal;
}

/** How the vendor notifies us that a person has removed this service there, or wants their data deleted. */
export interface Withdrawal {
  /**
   * The vendor's id of the person: that of the account, or `grantedBy` in its traits. Null if the vendor did not sign
   * the form, or signed it long ago.
   */
  personIn(form: Readonly<Record<string, string>>, signed: { secret: string; now: Date }): string | null;
}

/** Both kinds of connecting return a list, because one login can grant several accounts (Facebook pages). */
export type Connect<C> = OAuthConnect<C> | FormConnect<C>;
export interface OAuthConnect<C> {
  readonly kind: 'oauth';
  /** Asked for before the redirect to the platform, such as the Mastodon instance. Described as in `FormConnect`. */
  readonly fields?: ZodObject;
  /** The adapter registers an OAuth application when needed, so the operator does not have to configure one. */
  readonly ownApplication?: true;
  /** The user names the server that `start` contacts, and anyone can run one. */
  readonly serverOfUser?: true;
  /** `memo` is passed to `finish` unchanged: state of this flow, such as a registered application. */
  start(request: AuthRequest, ctx: PlatformClient): Promise<{ url: URL; memo?: Json }>;
  finish(callback: AuthCallback, ctx: PlatformClient): Promise<Grant<C>[]>;
  refresh?(credentials: C, ctx: PlatformClient): Promise<Renewed<C>>;
}
export interface FormConnect<C> {
  readonly kind: 'form';
  /** Each line of its description is a step to take on the platform before filling in the form. */
  readonly fields: ZodObject;
  /** The user names the server that `finish` contacts, and anyone can run one. */
  readonly serverOfUser?: true;
  finish(values: Record<string, unknown>, ctx: PlatformClient): Promise<Grant<C>[]>;
  refresh?(credentials: C, ctx: PlatformClient): Promise<Renewed<C>>;
}
export interface Renewed<C> {
  credentials: C;
  /** Expiry of the access token. */
  expiresAt: Date | null;
  /** Expiry of the refresh token, if the platform reports it. */
  refreshExpiresAt?: Date | null;
}
export interface Grant<C> extends Renewed<C> {
  account: Account;
  /** As granted by the platform, possibly fewer than requested. */
  scopes: string[];
}
/** `connections/` creates `state`, the PKCE verifier and the redirect; an adapter never does. */
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

export interface PublishContext<C> extends Context<C> {
  /**
   * The same in every attempt at this post and unique among posts: the idempotency token for platforms that support
   * one.
   */
  readonly postId: string;
  readonly step: Step;
  /** Releases the worker until `check` returns a value or the wait is over: the post is retried later. */
  until<T extends Json, L = never>(check: () => Promise<T | null>, wait: Wait<L>): Promise<T | L>;
  /** Adds an entry to the post's log that the contract requires besides the outcome. */
  note?(event: PublishNote, error?: PlatformError): Promise<void>;
}
/** Every wait ends, because a platform may never change its answer. */
export interface Wait<L = never> {
  /** Until the next check. */
  seconds: number;
  /** Until the wait is over, counted from a stored time. */
  msLeft: number;
  /** Called when the wait is over and the last check returned nothing. Throws, or returns what to go on with. */
  late(): L;
}
export type PublishNote = 'documentUploadSucceeded' | 'documentUploadFailed';

/**
 * Runs `effect` once for this post: its result is stored and returned in every later attempt. A step that began and has
 * no result has an unknown outcome. `replayable` means that the platform ignores a repeat, or that a repeat is
 * harmless; `find` asks the platform; `refusesRepeat` means that the refusal of a repeat identifies the original. With
 * none of them, the post fails as `unknown_outcome` rather than risk a second post. A step that makes a post visible
 * has `find` or is not replayable.
 */
export type Step = <T extends Json>(
  name: string,
  effect: (run: StepRun<T>) => Promise<T>,
  options?: StepOptions<T>,
) => Promise<T>;
export interface StepRun<T> {
  /** When an earlier run began this step. Null in the first run. */
  readonly repeatSince: Date | null;
  /** Takes the first of these posts that belongs to no other post of the account. Null if there is none. */
  adopt(found: Found<T>): Promise<T | null>;
}
export interface StepOptions<T> {
  replayable?: boolean;
  /**
   * The platform accepts this request only once (a container, an upload session): no need to wait for one in flight.
   */
  takenOnce?: boolean;
  /**
   * The basis for `find`, or for the refusal of a repeat (`fingerprint.ts`). Without one, any other post of the account
   * that is in doubt may own what was found, and adoption waits for it.
   */
  fingerprint?: string;
  /** Asks the platform for what the effect created, within a time limit (`search-time.ts`). */
  find?(since: Date): Promise<Found<T>>;
  /** Whether the platform still refuses the same request and identifies what the first one created. */
  refusesRepeat?(since: Date): boolean;
  /** Whether this failure is that refusal. Any other failure says nothing about the first request. */
  isRepeatRefusal?(refusal: PlatformError): boolean;
}

export const partStep = (index: number) => `part ${index}`;

export interface PostContent<S = unknown> {
  text: string;
  media: Media[];
  settings: S;
  /** The image to show for the video, if one was uploaded for this platform. */
  thumbnail: Media | null;
}
export type Thread<S = unknown> = readonly [PostContent<S>, ...PostContent<S>[]];
/** A file as this platform accepts it. `blob` is backed by a file: slice it to upload in chunks. */
export interface Media {
  kind: 'image' | 'video' | 'document';
  type: string;
  /** Empty if there is none. */
  altText: string;
  width: number;
  height: number;
  seconds: number | null;
  blob(): Promise<Blob>;
  /** A signed public URL, for platforms that fetch media themselves. */
  url(): Promise<URL>;
}
export type RemotePost = { id: string; url: string | null };
/**
 * What a step that makes a post visible stores, if the platform returns its id then: if the account is disconnected,
 * only the steps show what was published. `isPartial`: another step completes the post.
 */
export type ShownPost = RemotePost & { isPartial?: boolean };
/** The id is null if the platform accepted the comment without returning one. */
export type RemoteComment = { id: string | null; url: string | null };

/** Only infers types: `publish` gets the real types of `settings` and `credentials`. */
export function definePlatform<S extends ZodObject, C extends ZodObject>(platform: Platform<S, C>): Platform<S, C> {
  return platform;
}
