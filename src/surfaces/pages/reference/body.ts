import { STATUS_CODES } from 'node:http';
import {
  type DocumentName,
  documentFiles,
  documentNames,
  documentPath,
} from '../../../foundation/http/openapi/parts.ts';
import { escapeHtml } from '../../../foundation/text/escape-html.ts';
import {
  type Body,
  nameIn,
  type Operation,
  operationsOf,
  parametersOf,
  ReferenceDocument,
  type Schema,
} from './document.ts';
import { markdown } from './markdown.ts';
import { fieldHtml, schemaHtml } from './schema-html.ts';

export interface OtherPage {
  readonly path: string;
  readonly title: string;
}

/** The whole reference as HTML: it can be read, searched and linked to before any other script has been loaded. */
export function referenceBody(openapi: object, other: OtherPage): string {
  const document = ReferenceDocument.parse(openapi);
  const groups = document.tags.map((tag) => ({ ...tag, operations: operationsOf(tag.name, document) }));
  const schemas = Object.entries(document.components.schemas);
  const errors = Object.entries(document.components.responses);
  return `<div id="pages">
<nav id="menu" aria-label="Operations">
<input id="search" type="search" placeholder="Search" aria-label="Search the reference" autocomplete="off" aria-keyshortcuts="/">
<p id="nothing" hidden>Nothing found.</p>
<p><a href="#introduction">Introduction</a></p>
${groups.map(({ name, operations }, place) => menuGroup(name, `tag/${slug(name)}`, operations.map(menuItem), place === 0)).join('\n')}
${menuGroup('Errors', 'errors', errors.map(errorItem))}
${menuGroup('Schemas', 'schemas', schemas.map(schemaItem))}
</nav>
<main>
${introduction(document, other)}
${groups.map((group) => groupHtml(group, document)).join('\n')}
<section id="errors"><h2>Errors</h2><p>What many operations can answer. Branch on <code>code</code>.</p>
${errors.map(errorArticle).join('\n')}
</section>
<section id="schemas"><h2>Schemas</h2>
${schemas.map(schemaArticle).join('\n')}
</section>
</main>
</div>`;
}

type Placed = ReturnType<typeof operationsOf>[number];

const slug = (name: string) => name.toLowerCase().replaceAll(' ', '-');
const badge = (method: string) => `<b class="method ${method.toLowerCase()}">${method}</b>`;

/** The first group is open: it is what most people come for. */
const menuGroup = (name: string, id: string, items: readonly string[], isOpen = false) =>
  `<details${isOpen ? ' open' : ''}><summary><a href="#${id}">${escapeHtml(name)}</a></summary><ul>${items.join('')}</ul></details>`;

const menuItem = ({ operationId, summary, method }: Placed) =>
  `<li><a href="#${operationId}">${escapeHtml(summary)} ${badge(method)}</a></li>`;

const errorItem = ([name]: [string, Body]) => `<li><a href="#error-${name}">${name}</a></li>`;

const errorArticle = ([name, { description = '' }]: [string, Body]) =>
  `<article id="error-${name}"><h3>${name}</h3>${markdown(description)}</article>`;

const schemaItem = ([name]: [string, Schema]) => `<li><a href="#schema-${name}">${name}</a></li>`;

const schemaArticle = ([name, schema]: [string, Schema]) =>
  `<article id="schema-${name}"><h3>${name}</h3>${markdown(schema.description ?? '')}${schemaHtml(schema)}</article>`;

const introduction = ({ info }: ReferenceDocument, other: OtherPage) => `<section id="introduction">
<p class="facts">API ${escapeHtml(info.version)} of Crier ${escapeHtml(info['x-crier-version'])}, ${documentNames.map(documentLink).join(', ')}, <a href="/llms-full.txt">all of it as text</a>, <a href="${other.path}">${escapeHtml(other.title)}</a></p>
<h1>${escapeHtml(info.title)}</h1>
${markdown(info.description)}
</section>`;

const documentLink = (name: DocumentName) => `<a href="${documentPath(name)}">${documentFiles[name]}</a>`;

function groupHtml(
  { name, description, operations }: { name: string; description: string; operations: readonly Placed[] },
  document: ReferenceDocument,
): string {
  return `<section id="tag/${slug(name)}"><h2>${escapeHtml(name)}</h2>${markdown(description)}
${operations.map((operation) => operationHtml(operation, document)).join('\n')}
</section>`;
}

function operationHtml(operation: Placed, document: ReferenceDocument): string {
  const { operationId, summary, method, path, description } = operation;
  return `<article id="${operationId}"><h3>${escapeHtml(summary)}</h3>
<p class="path">${badge(method)} <code>${escapeHtml(path)}</code></p>
${markdown(description)}${access(operation)}
<div class="sample" data-operation="${operationId}"></div>
${parameters(operation, document)}${requestBody(operation)}${answers(operation)}</article>`;
}

/** Who may call it. */
function access({ security }: Operation): string {
  if (security.length === 0) return '<p class="access">Needs no credentials.</p>';
  const scope = security.find((one) => 'apiKey' in one)?.apiKey?.[0];
  if (scope) return `<p class="access">An API key with the scope <code>${escapeHtml(scope)}</code>, or a session.</p>`;
  return security.some((one) => 'apiKey' in one)
    ? '<p class="access">An API key, or a session.</p>'
    : '<p class="access">A session: sign in first.</p>';
}

function parameters(operation: Operation, document: ReferenceDocument): string {
  const rows = parametersOf(operation, document).map((each) =>
    fieldHtml({
      name: each.name ?? '',
      schema: each.schema ?? {},
      isRequired: each.required ?? false,
      description: each.description,
      place: `in the ${each.in}`,
    }),
  );
  return rows.length > 0 ? `<h4>Parameters</h4><dl>${rows.join('')}</dl>` : '';
}

function requestBody({ requestBody: body }: Operation): string {
  const [type, content] = Object.entries(body?.content ?? {})[0] ?? [];
  if (!content?.schema) return '';
  return `<h4>Body <small>${type}</small></h4>${schemaHtml(content.schema)}`;
}

function answers({ responses }: Operation): string {
  const good: string[] = [];
  const bad: string[] = [];
  for (const [status, body] of Object.entries(responses)) {
    if ('$ref' in body) bad.push(`<h5>${status} <a href="#error-${nameIn(body.$ref)}">${nameIn(body.$ref)}</a></h5>`);
    else if (status < '400') good.push(answer(status, body));
    else bad.push(`<h5>${status} ${STATUS_CODES[status] ?? ''}</h5>${markdown(body.description ?? '')}`);
  }
  const errors = bad.length > 0 ? `<details><summary>Errors</summary>${bad.join('')}</details>` : '';
  return `<h4>Answer</h4>${good.join('')}${errors}`;
}

function answer(status: string, { description = '', content = {} }: Body): string {
  const [first] = Object.values(content);
  const example =
    first?.example === undefined ? '' : `<pre>${escapeHtml(JSON.stringify(first.example, null, 2))}</pre>`;
  const fields = first?.schema ? schemaHtml(first.schema) : '';
  return `<p><b>${status}</b> ${escapeHtml(description)}</p>${fields}${example && `<details><summary>Example</summary>${example}</details>`}`;
}
