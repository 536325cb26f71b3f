/** The description of the options of a network, as openapi.json has it. */
export interface SettingsForm {
  readonly title: string;
  readonly fields: readonly SettingField[];
}

export interface SettingField {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly kind: 'flag' | 'choice' | 'text' | 'other';
  /** Of a choice. The empty one means that nothing is chosen. */
  readonly options: readonly string[];
  readonly defaultValue: unknown;
  /** Whether `create-post` takes it too. */
  readonly isForNewPosts: boolean;
}

/** `accounts_you_follow` and `SELF_ONLY` as people write them. */
export function optionLabel(option: string): string {
  if (option === '') return 'As the account has it';
  const words = option.toLowerCase().replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
