import type { output, ZodObject } from 'zod';
import type { Json } from '../../foundation/lib/json.ts';
import type { Limits, VideoKind } from './limits.ts';

/** A platform's limits, and its settings for a post. Validation, OpenAPI, MCP and the dashboard read it. */
export interface Description<S extends ZodObject = ZodObject> {
  /** Also the name of the platform's folder, its value in the database and the prefix of its connection ids. */
  readonly id: string;
  /** The platform's name, as used in the contract's texts. */
  readonly name: string;
  /** The name on pages and in emails, if people know it by another one. */
  readonly shownName?: string;
  /** Other features, for the table in the README, which derives from the description. */
  readonly highlights?: readonly string[];
  readonly limits: Limits;
  /** The limits of one account, if they depend on its paid tier or its server. Traits are stored when it connects. */
  limitsFor?(traits: Readonly<Record<string, Json>>): Limits;
  /**
   * Options that a user may set per post; none is required. A new post is stored with `.default()`. An error text
   * follows the setting's path: "platformSettings.telegram.protectContent must be a boolean".
   */
  readonly settings: S;
  /** With these settings, as few people as possible see or are notified of a post. Connection tests use them. */
  readonly quietSettings?: Partial<output<S>>;
  readonly lifetime: Lifetime;
  readonly settingRules?: SettingRules<output<S>>;
  readonly attachedImage?: AttachedImage<keyof output<S> & string>;
  /** attach-media refuses a post with a disconnected target of this platform (contract.md#attach-media.youtube-gone). */
  readonly attachRequiresConnection?: true;
  /** Operator options by name: `VERSION` of a platform is `<PLATFORM>_VERSION` in the environment. */
  readonly options?: Readonly<Record<string, OperatorOption>>;
  /** Files that prove ownership of the site to the vendor. `options` are the operator's values. */
  siteFiles?(options: Readonly<Partial<Record<string, string>>>): SiteFile[];
}

export interface SiteFile {
  readonly name: string;
  readonly content: string;
}

export interface OperatorOption {
  /** For the operator, in `.env.example`. */
  readonly about: string;
  readonly standard: string;
  readonly pattern: RegExp;
  /** How to fix a value that does not match. It follows the variable's name. */
  readonly mistake: string;
}

/** An image that is uploaded separately from the media of a post, and that a setting of the post refers to. */
export interface AttachedImage<Setting extends string = string> {
  readonly setting: Setting;
  /** The content of the setting: `{ mediaId, url }` of the upload, or any public URL. */
  readonly reference: 'media' | 'url';
  /** The value of `media.purpose`. */
  readonly purpose: string;
  /** The form field of the upload, and the word for the image in the contract's responses. */
  readonly field: 'thumbnail' | 'cover';
  readonly uploadPath: `/${string}`;
  /** Other image types are converted on upload. */
  readonly asJpeg: boolean;
}

/** How long credentials last for their owner. Tokens that we renew without the owner do not count. */
export interface Lifetime {
  /**
   * The event that ends the credentials: expiry of the access token or of the refresh token, nothing, or something
   * unknown.
   */
  readonly endsWith: 'access_token' | 'refresh_token' | 'nothing' | 'unknown';
  /** Whether credentials that the platform refused count as expired. If not, only the connection shows an error. */
  readonly refusedIsExpired: boolean;
}

/** Rules that the settings schema cannot express. Functions are pure and return null if there is no problem. */
export interface SettingRules<T> {
  /** Other accepted names of settings: alias to setting. */
  readonly aliases?: Readonly<Record<string, keyof T & string>>;
  /** Names that are no longer accepted. The error points to the setting that replaced them. */
  readonly retired?: Readonly<Record<string, keyof T & string>>;
  /** Settings that can be set only on an existing post. */
  readonly updateOnly?: readonly (keyof T & string)[];
  /** A new post also accepts words such as "off" for booleans. */
  readonly spelledBooleans?: boolean;
  /** Why these settings contradict each other. */
  conflict?(settings: T): string | null;
  /** Why these targets of the platform cannot have the settings. */
  conflictWith?(settings: T, targets: readonly SettingTarget[]): string | null;
  /** Settings that cannot change once publishing has begun, with their name in the error. */
  readonly lockedWhilePublishing?: Readonly<Partial<Record<keyof T & string, string>>>;
  /** Whether a post with these settings needs no text. */
  textOptional?(settings: T): boolean;
  /** Same, for settings as sent, before they are read: `content` is checked before `platformSettings`. */
  textOptionalAsSent?(sent: Readonly<Record<string, unknown>>): boolean;
  /** Which limits apply to a video of the post. Default: `feed`. */
  videoKind?(settings: T, post: { readonly mediaCount: number }): VideoKind;
  /** Why a post with these settings cannot be scheduled. */
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
