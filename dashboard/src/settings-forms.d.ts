/** Made by Vite from the schemas of `platformSettings` in openapi.json, see `settings-forms-plugin.ts`. */
declare module 'virtual:settings-forms' {
  const forms: unknown;
  export default forms;
}
