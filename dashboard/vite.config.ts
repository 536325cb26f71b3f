import { fileURLToPath } from 'node:url';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { headScript } from './head-script-plugin.ts';
import { openApi } from './openapi-plugin.ts';
import { precompress } from './precompress-plugin.ts';

/** The service that `npm run dev` proxies to. */
const service = process.env.CRIER_URL ?? 'http://localhost:3000';

/** Shared code goes into a few files: dozens of tiny ones compress badly and load slowly. */
const groups = [
  // All pages behind the sign-in need it, with all that it imports. One file compresses better than several.
  { name: 'app', test: /src\/(main|routes\/_app)\.tsx/, priority: 2 },
  // Loaded with the first date in words. By the rules below, every page would load it.
  { name: 'phrases', test: /node_modules\/chrono-node\/dist\/esm\/(?!locales)/, priority: 1 },
  // Only dialogs have such a field.
  { name: 'number-field', test: /react-number-format|components\/NumberInput/ },
  { name: 'shared', test: /node_modules|src\/(lib|components)\//, minShareCount: 5 },
];

export default defineConfig(({ command }) => {
  // A test that builds the dashboard has another value and would get React's development build.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    plugins: [
      tanstackRouter({ target: 'react', autoCodeSplitting: true, generatedRouteTree: './src/route-tree.gen.ts' }),
      react(),
      headScript('/src/color-scheme.js'),
      openApi(new URL('../openapi.json', import.meta.url)),
      precompress(),
    ],
    // The source, so that builds and type checks of the dashboard don't need a client build.
    resolve: { alias: { '@crier/client': fileURLToPath(new URL('../client/src/index.ts', import.meta.url)) } },
    // The service replaces this with a new nonce for each page.
    html: { cspNonce: '__CSP_NONCE__' },
    // Inlined files would need an exception in the content security policy.
    build: {
      assetsInlineLimit: 0,
      outDir: 'dist/latest',
      rolldownOptions: { output: { codeSplitting: { groups } } },
    },
    server: { proxy: { '/api': service, '/media/': service, '/connect': service } },
  };
});
