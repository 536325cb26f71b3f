import type { output, ZodObject } from 'zod';
import type { Json } from '../../lib/json.ts';
import type { Limits } from './limits.ts';

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
  /** Whether a post with them may go without text of its own. */
  textOptional?(settings: T): boolean;
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
