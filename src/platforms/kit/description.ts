import type { output, ZodObject } from 'zod';
import type { Json } from '../../lib/json.ts';
import type { Limits, VideoKind } from './limits.ts';

/** What a network allows and what can be set for a post there: read by validation, OpenAPI, MCP and the dashboard. */
export interface Description<S extends ZodObject = ZodObject> {
  /** Also the name of the platform's folder, its value in the database and the prefix of its connection ids. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly limits: Limits;
  /** The limits of one account, where they differ: paid tier, server. Traits are what connecting learnt of it. */
  limitsFor?(traits: Readonly<Record<string, Json>>): Limits;
  /**
   * Options a user may set per post, none of them required. `.default()` is what a new post is stored with, and an error
   * text is what follows the path in the answer: "platformSettings.telegram.protectContent must be a boolean".
   */
  readonly settings: S;
  readonly lifetime: Lifetime;
  readonly settingRules?: SettingRules<output<S>>;
  readonly attachedImage?: AttachedImage<keyof output<S> & string>;
  /** attach-media refuses a post with a target of this platform that is no longer connected (contract, part 1: 4.6). */
  readonly attachRequiresConnection?: true;
}

/** An image that is uploaded on its own, beside the media of a post, and that a setting of the post refers to. */
export interface AttachedImage<Setting extends string = string> {
  readonly setting: Setting;
  /** What the setting holds: `{ mediaId, url }` of the upload, or any public URL. */
  readonly reference: 'media' | 'url';
  /** The value of `media.purpose`. */
  readonly purpose: string;
  /** The form field of the upload, and the word for the image in the contract's answers. */
  readonly field: 'thumbnail' | 'cover';
  readonly uploadPath: `/${string}`;
  /** Other image types are converted when they are uploaded. */
  readonly asJpeg: boolean;
}

/** How long credentials last, as far as their owner needs to know: what is renewed without them does not count. */
export interface Lifetime {
  /** The date that matters: that of the access token, of the refresh token, none since they last, or not known at all. */
  readonly endsWith: 'access_token' | 'refresh_token' | 'nothing' | 'unknown';
  /** Credentials that the network refused count as expired; where not, only the connection is out of order. */
  readonly refusedIsExpired: boolean;
}

/** What the schema of the settings cannot say. Functions are pure, and answer null if all is well. */
export interface SettingRules<T> {
  /** Other names: alias -> setting. */
  readonly aliases?: Readonly<Record<string, keyof T & string>>;
  /** Names of the past: the answer to them points to the setting that took their place. */
  readonly retired?: Readonly<Record<string, keyof T & string>>;
  /** Settings that need a post to be there first. */
  readonly updateOnly?: readonly (keyof T & string)[];
  /** "off" is a boolean even when a post is created. */
  readonly spelledBooleans?: boolean;
  /** Why these settings cannot stand together. */
  conflict?(settings: T): string | null;
  /** Why they cannot be had for these targets, all of this platform. `given` holds what this request sets. */
  conflictWith?(settings: T, given: Partial<T>, targets: readonly SettingTarget[]): string | null;
  /** Settings that cannot change once publishing has begun, with their name in the answer. */
  readonly lockedWhilePublishing?: Readonly<Partial<Record<keyof T & string, string>>>;
  /** Whether a post with them may go without text of its own. */
  textOptional?(settings: T): boolean;
  /** The same for settings as a request sends them, before they are read: `content` is checked before `platformSettings`. */
  textOptionalAsSent?(sent: Readonly<Record<string, unknown>>): boolean;
  /** Which limits hold for a video of the post. Without this rule: `feed`. */
  videoKind?(settings: T, post: { readonly mediaCount: number }): VideoKind;
  /** What keeps a post with them from being scheduled. */
  issues?(settings: T, post: { readonly hasMedia: boolean }): Issue[];
}

export interface SettingTarget {
  readonly platform: string;
  readonly accountId: string;
  readonly isCompanyPage?: boolean;
}

export interface Issue {
  readonly code: string;
  readonly message: string;
  readonly field: string;
}
