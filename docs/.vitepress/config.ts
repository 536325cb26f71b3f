import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { defineConfig } from 'vitepress';
import { linkedFiles, root, siteLink } from './links.ts';

const page = (text: string, name: string) => ({ text, link: `/${name}` });

const api = [
  page('Quick start', 'quick-start'),
  page('Images and videos', 'media'),
  page('Threads and first comments', 'threads-and-comments'),
  page('Calendar, search and slots', 'planning'),
  page('Webhooks', 'webhooks'),
  page('Event stream', 'events'),
  page('Sign-in and API keys', 'auth'),
  page('Managed users', 'managed-users'),
  page('Errors and retries', 'errors-and-retries'),
  page('Limits', 'limits'),
  page('Sandbox', 'sandbox'),
  page('TypeScript client', 'project/client'),
  page('Command line', 'cli'),
  page('n8n, Make and GitHub', 'automation'),
  page('Agents', 'agents'),
  page('Contract', 'contract'),
];
const dashboard = [
  page('The dashboard', 'dashboard'),
  page('The networks', 'networks'),
  page('Moving to Crier', 'moving'),
];
const operation = [
  page('Overview', 'operate'),
  page('Install', 'install'),
  page('Configuration', 'configuration'),
  page('Admin commands', 'admin'),
  page('Going live', 'going-live'),
  page('Load balancer and TLS', 'balancer'),
  page('Database', 'database'),
  page('Storage', 'storage'),
  page('Several machines', 'machines'),
  page('Backup', 'backup'),
  page('Upgrade', 'upgrade'),
  page('Monitoring', 'monitoring'),
  page('Runbook', 'runbook'),
  page('Scale', 'scale'),
  page('Performance', 'performance'),
  page('Threat model', 'security'),
];
const extension = [
  page('Architecture', 'architecture'),
  page('Decisions', 'decisions/'),
  page('Contributing', 'project/contributing'),
  page('How Crier sounds', 'voice'),
  page('Model of the engine', 'engine-model'),
  page('The client, inside', 'client'),
  page('Releasing', 'releasing'),
  page('Changelog', 'project/changelog'),
];

/** Anchors as the repository's host makes them, so that a link works in both places. VitePress passes those of links too. */
const slugify = (text: string) =>
  /^[a-z\d.-]+$/.test(text)
    ? text
    : text
        .toLowerCase()
        .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
        .replaceAll(' ', '-');

/** `npm run docs` serves the pages, `npm run docs:build` writes the site into docs/.vitepress/dist. */
export default defineConfig({
  title: 'Crier',
  description: 'One call publishes a post to ten social networks, exactly once.',
  lang: 'en-GB',
  base: process.env.DOCS_BASE ?? '/',
  cleanUrls: true,
  rewrites: { 'README.md': 'guides.md', 'decisions/README.md': 'decisions/index.md' },
  // Addresses of a Crier that the reader runs.
  ignoreDeadLinks: [/^https?:\/\/(localhost|127\.0\.0\.1)/, /^\/repository\//],
  markdown: {
    anchor: { slugify },
    config(md) {
      md.core.ruler.push('site-links', ({ tokens, env }) => {
        const file = relative(root, env.path);
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const href = token.type === 'link_open' ? token.attrGet('href') : null;
          if (href !== null) token.attrSet('href', siteLink(href, file));
          // Braces in code are no expressions of Vue.
          if (token.type === 'code_inline') token.attrSet('v-pre', '');
        }
      });
    },
  },
  vite: {
    plugins: [
      {
        // The built site has copies of these files.
        name: 'linked-files',
        configureServer({ middlewares }) {
          middlewares.use('/repository', async ({ url = '' }, response, next) => {
            const name = [...linkedFiles].find((file) => url === `/${file}`);
            if (!name) return next();
            response.setHeader('content-type', 'text/plain; charset=utf-8');
            response.end(await readFile(join(root, name)).catch(() => ''));
          });
        },
      },
    ],
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Use the API', link: '/quick-start' },
      { text: 'Use the dashboard', link: '/dashboard' },
      { text: 'Run it', link: '/operate' },
      { text: 'Extend it', link: '/architecture' },
    ],
    sidebar: [
      { text: 'Use the API', items: api },
      { text: 'Use the dashboard', items: dashboard },
      { text: 'Run it', items: operation },
      { text: 'Extend it', items: extension },
    ],
  },
  async buildEnd({ outDir }) {
    for (const name of linkedFiles) {
      const [from, to] = [join(root, name), join(outDir, 'repository', name)];
      await cp(from, to, { recursive: true });
      if (!(await stat(from)).isDirectory()) continue;
      const files = (await readdir(from, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
      const links = files
        .map(({ parentPath, name: file }) => relative(dirname(from), join(parentPath, file)))
        .map((path) => `<li><a href="/repository/${join(dirname(name), path)}">${path}</a></li>`);
      await writeFile(join(to, 'index.html'), `<!doctype html><title>${name}</title><ul>${links.join('')}</ul>`);
    }
  },
});
