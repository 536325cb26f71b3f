import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Adds a script that runs before the first paint. Bundled scripts are modules, which run later, and the content security policy
 * allows no inline scripts.
 */
export function headScript(path: string): Plugin {
  const name = basename(path);
  return {
    name: 'head-script',
    buildStart() {
      if (this.environment.mode !== 'build') return;
      this.emitFile({ type: 'asset', name, source: readFileSync(new URL(`.${path}`, import.meta.url)) });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const built = Object.values(bundle).find((file) => file.type === 'asset' && file.names.includes(name));
        const src = built ? `/${built.fileName}` : path;
        return [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' }];
      },
    },
  };
}
