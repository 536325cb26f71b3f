import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { llmsText } from './llms-text.ts';

const docs = new URL('../../../docs/', import.meta.url);

/** The whole reference and all guides as Markdown. */
export const llmsFullText = (publicUrl: string, openapi: object) =>
  [llmsText(publicUrl), ...guides(), referenceText(Document.parse(openapi))].join('\n\n---\n\n');

/** The guides that the index links to, in its order, without the parts written only for tests. */
function guides(): string[] {
  const index = readFileSync(new URL('README.md', docs), 'utf8');
  const names = [...index.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name = '']) => name);
  return [...new Set(names)]
    .map((name) => new URL(name, docs))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8').replace(/<!--[\s\S]*?-->\n?/g, ''));
}

const Content = z.record(z.string(), z.object({ schema: z.unknown(), example: z.unknown() }).partial());
const Body = z.object({ description: z.string(), content: Content }).partial();
const Parameter = z
  .object({ name: z.string(), in: z.string(), required: z.boolean(), description: z.string() })
  .partial();
const Reference = z.object({ $ref: z.string() });
const Operation = z.object({
  summary: z.string(),
  description: z.string().optional(),
  tags: z.array(z.string()),
  security: z.array(z.record(z.string(), z.array(z.string()))).default([]),
  parameters: z.array(z.union([Reference, Parameter])).default([]),
  requestBody: Body.optional(),
  responses: z.record(z.string(), z.union([Reference, Body])),
});
const Document = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    parameters: z.record(z.string(), Parameter).default({}),
    responses: z.record(z.string(), Body).default({}),
  }),
});
type Document = z.output<typeof Document>;

function referenceText(document: Document): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ title: `${method.toUpperCase()} ${path}`, operation })),
  );
  const sections = document.tags.map(({ name, description }) =>
    [
      `## ${name}\n\n${description}`,
      ...operations
        .filter(({ operation }) => operation.tags[0] === name)
        .map(({ title, operation }) => operationText(title, operation, document)),
    ].join('\n\n'),
  );
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `### ${name}\n\n${fenced(schema)}`,
  );
  return ['# Reference', ...sections, '## Schemas', ...schemas].join('\n\n');
}

function operationText(title: string, operation: z.output<typeof Operation>, { components }: Document): string {
  const parameters = operation.parameters
    .map((each) => ('$ref' in each ? (components.parameters[nameIn(each.$ref)] ?? {}) : each))
    .map((each) => `- \`${each.name}\` (${each.in}${each.required ? ', required' : ''}): ${each.description ?? ''}`);
  const responses = Object.entries(operation.responses).map(([status, each]) => {
    const body = '$ref' in each ? (components.responses[nameIn(each.$ref)] ?? {}) : each;
    return `- ${status}: ${body.description ?? ''}${schemaOf(body)}`;
  });
  const [json] = Object.values(operation.requestBody?.content ?? {});
  return [
    `### ${title}`,
    `${operation.summary}. ${operation.description ?? ''}`.trim(),
    `Credentials: ${operation.security.flatMap((one) => Object.keys(one)).join(' or ') || 'none'}.`,
    ...(parameters.length > 0 ? [parameters.join('\n')] : []),
    ...(json ? [`Body${schemaOf(operation.requestBody ?? {})}:\n\n${fenced(json.example ?? json.schema)}`] : []),
    `Responses:\n\n${responses.join('\n')}`,
  ].join('\n\n');
}

const nameIn = (reference: string) => reference.split('/').at(-1) ?? '';
const fenced = (value: unknown) => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;

function schemaOf({ content = {} }: z.output<typeof Body>): string {
  const [first] = Object.values(content);
  const named = Reference.safeParse(first?.schema);
  return named.success ? ` (schema ${nameIn(named.data.$ref)})` : '';
}
