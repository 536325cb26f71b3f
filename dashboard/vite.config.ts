import { fileURLToPath } from 'node:url';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { headScript } from './head-script-plugin.ts';
import { openApi } from './openapi-plugin.ts';
import { precompress } from './precompress-plugin.ts';

/** The Crier whose API `npm run dev` uses. */
const service = process.env.CRIER_URL ?? 'http://localhost:3000';

/** What several pages need is a few files: dozens of tiny ones compress badly and take longer to load. */
const groups = [
  { name: 'common', test: /node_modules|src\/(lib|components)\//, minShareCount: 10 },
  { name: 'icons', test: /@tabler\/icons-react/, minShareCount: 2 },
  { name: 'shared', test: /node_modules|src\/(lib|components)\//, minShareCount: 4 },
];

export default defineConfig(({ command }) => {
  // A test that builds the dashboard has another value, and would get the development form of React.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    plugins: [
      tanstackRouter({ target: 'react', autoCodeSplitting: true, generatedRouteTree: './src/route-tree.gen.ts' }),
      react(),
      headScript('/src/color-scheme.js'),
      openApi(new URL('../openapi.json', import.meta.url)),
      precompress(),
    ],
    // The source, so that neither a build nor a check of the dashboard needs a build of the client.
    resolve: { alias: { '@crier/client': fileURLToPath(new URL('../client/src/index.ts', import.meta.url)) } },
    // The service replaces this by a new value for each page.
    html: { cspNonce: '__CSP_NONCE__' },
    // Inlined files would need an exception from the content security policy.
    build: {
      assetsInlineLimit: 0,
      outDir: 'dist/latest',
      rolldownOptions: { output: { codeSplitting: { groups } } },
    },
    server: { proxy: { '/api': service, '/media/': service, '/connect': service } },
  };
});
