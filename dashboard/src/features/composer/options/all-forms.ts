import described from 'virtual:settings-forms';
import type { SettingsForm } from './settings-form.ts';

/** The forms of the networks that have options, by platform. */
export const forms = described as Readonly<Record<string, SettingsForm>>;
