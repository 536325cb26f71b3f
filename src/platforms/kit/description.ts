import type { output, ZodObject } from 'zod';
import type { Json } from '../../foundation/lib/json.ts';
import type { Limits, VideoKind } from './limits.ts';

/** What a platform allows and which settings a post for it has. Validation, OpenAPI, MCP and the dashboard read it. */
export interface Description<S extends ZodObject = ZodObject> {
  /** Also the name of the platform's folder, its value in the database and the prefix of its connection ids. */
  readonly id: string;
  /** The name that people know, as the texts of the contract have it. */
  readonly name: string;
  /** The name on pages and in mails, where people know it by another one. */
  readonly shownName?: string;
  /** What people can do there besides, for the table in the README, which derives from the description. */
  readonly highlights?: readonly string[];
  readonly limits: Limits;
  /** The limits of one account, where they depend on its paid tier or its server. Traits are stored when it connects. */
  limitsFor?(traits: Readonly<Record<string, Json>>): Limits;
  /**
   * Options that a user may set per post; none is required. A new post is stored with `.default()`. An error text follows
   * the path of the setting: "platformSettings.telegram.protectContent must be a boolean".
   */
  readonly settings: S;
  /** With these, as few people as possible see or hear of a post. Tests of a connection use them. */
  readonly quietSettings?: Partial<output<S>>;
  readonly lifetime: Lifetime;
  readonly settingRules?: SettingRules<output<S>>;
  readonly attachedImage?: AttachedImage<keyof output<S> & string>;
  /** attach-media refuses a post with a disconnected target of this platform (contract.md#attach-media.youtube-gone). */
  readonly attachRequiresConnection?: true;
  /** What the operator may configure, by name: `VERSION` of a platform is `<PLATFORM>_VERSION` in the environment. */
  readonly options?: Readonly<Record<string, OperatorOption>>;
  /** Files that prove to the vendor whose site the service runs on. `options` is what the operator configured. */
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
  /** How to mend a value that does not match. It follows the name of the variable. */
  readonly mistake: string;
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

/** How long credentials last for their owner. Tokens that we renew without the owner do not count. */
export interface Lifetime {
  /** What ends the credentials: the expiry of the access token or of the refresh token, nothing, or something unknown. */
  readonly endsWith: 'access_token' | 'refresh_token' | 'nothing' | 'unknown';
  /** Whether credentials that the platform refused count as expired. If not, only the connection shows an error. */
  readonly refusedIsExpired: boolean;
}

/** Rules that the schema of the settings cannot express. Functions are pure and return null where there is no problem. */
export interface SettingRules<T> {
  /** Other accepted names of settings: alias to setting. */
  readonly aliases?: Readonly<Record<string, keyof T & string>>;
  /** Names that are no longer accepted. The answer points to the setting that replaced them. */
  readonly retired?: Readonly<Record<string, keyof T & string>>;
  /** Settings that can be set on an existing post only. */
  readonly updateOnly?: readonly (keyof T & string)[];
  /** A new post accepts words such as "off" for booleans too. */
  readonly spelledBooleans?: boolean;
  /** Why these settings contradict each other. */
  conflict?(settings: T): string | null;
  /** Why these targets of the platform cannot have the settings. */
  conflictWith?(settings: T, targets: readonly SettingTarget[]): string | null;
  /** Settings that cannot change once publishing has begun, with their name in the answer. */
  readonly lockedWhilePublishing?: Readonly<Partial<Record<keyof T & string, string>>>;
  /** Whether a post with these settings needs no text of its own. */
  textOptional?(settings: T): boolean;
  /** The same for settings as sent, before they are read: `content` is checked before `platformSettings`. */
  textOptionalAsSent?(sent: Readonly<Record<string, unknown>>): boolean;
  /** Which limits hold for a video of the post. Without this rule: `feed`. */
  videoKind?(settings: T, post: { readonly mediaCount: number }): VideoKind;
  /** The reasons why a post with these settings cannot be scheduled. */
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
