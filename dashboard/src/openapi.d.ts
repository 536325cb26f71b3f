/** Made by Vite from openapi.json, see `openapi-plugin.ts`. */
declare module 'virtual:openapi' {
  /** The forms of the networks that have options, by platform. */
  export const forms: Readonly<Record<string, import('./features/composer/options/settings-form.ts').SettingsForm>>;
  /** The platforms whose posts and profiles the routes for statistics can read. LinkedIn has routes for itself. */
  export const statisticsPlatforms: readonly import('@crier/client').GetProfileStatisticsInput['platform'][];
}
