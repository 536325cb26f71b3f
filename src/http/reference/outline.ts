import { z } from 'zod';
import { escapeHtml } from '../../lib/escape-html.ts';

const Document = z.object({
  openapi: z.string(),
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  tags: z.array(z.object({ name: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), z.object({ summary: z.string(), tags: z.array(z.string()) }))),
});
type Document = z.output<typeof Document>;

/**
 * What a reader sees at once, where Scalar will draw the same: it takes more than a second to begin on a slow machine.
 * Without scripts, it stays and leads to the text of everything.
 */
export function referenceOutline(openapi: object): string {
  const document = Document.parse(openapi);
  const { info, tags, openapi: version } = document;
  const groups = tags.map(({ name }) => ({ name, operations: operationsOf(name, document) }));
  return `<div id="opening">
<nav aria-label="Operations">
<p class="search">Search</p>
<p class="here">Introduction</p>
${groups.map(({ name, operations }, index) => `<p>${link(name)}</p>${index === 0 ? list(operations) : ''}`).join('\n')}
</nav>
<main>
<p class="badges"><span>v${info.version}</span> <span>OpenAPI ${version}</span></p>
<h1>${escapeHtml(info.title)}</h1>
<p><a href="/api/v1/openapi.json">Download OpenAPI Document</a></p>
${paragraphs(info.description)}
<noscript><p>The reference needs JavaScript. <a href="/llms-full.txt">llms-full.txt</a> has all of it as text.</p></noscript>
${groups.map(({ name, operations }) => `<h2>${escapeHtml(name)}</h2>${list(operations)}`).join('\n')}
</main>
</div>`;
}

function operationsOf(tag: string, { paths }: Document) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags[0] === tag)
      .map(([method, { summary }]) => ({ summary, method: method.toUpperCase(), path })),
  );
}

const list = (operations: ReturnType<typeof operationsOf>) =>
  `<ul>${operations.map(({ summary, method }) => `<li>${escapeHtml(summary)} <b>${method}</b></li>`).join('')}</ul>`;

const link = (tag: string) => `<a href="#tag/${tag.toLowerCase().replaceAll(' ', '-')}">${escapeHtml(tag)}</a>`;

/** The little Markdown that the description has. */
const paragraphs = (markdown: string) =>
  markdown
    .split('\n\n')
    .map((text) =>
      escapeHtml(text)
        .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
        .replace(/`(.+?)`/g, '<code>$1</code>'),
    )
    .map((html) => `<p>${html}</p>`)
    .join('\n');
