/** A network's options as described in openapi.json. */
export interface SettingsForm {
  readonly title: string;
  readonly fields: readonly SettingField[];
}

export interface SettingField {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly kind: 'flag' | 'choice' | 'text' | 'other';
  /** The values of a choice. Empty means none. */
  readonly options: readonly string[];
  readonly defaultValue: unknown;
  /** Whether `create-post` accepts it, too. */
  readonly isForNewPosts: boolean;
}

/** Readable labels for `accounts_you_follow` and `SELF_ONLY`. */
export function optionLabel(option: string): string {
  if (option === '') return 'Account default';
  const words = option.toLowerCase().replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
