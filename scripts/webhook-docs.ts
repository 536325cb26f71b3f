import { type ZodType, z } from 'zod';
import { webhookEvents, webhookTest } from '../src/foundation/events/catalogue.ts';

const [start, end] = [
  '<!-- generated from src/foundation/events/catalogue.ts: npm run generate -->',
  '<!-- end of generated -->',
];

/** The page on webhooks, with an example body and the current table of events. */
export function withEvents(page: string): string {
  const [before, after] = [page.indexOf(start), page.indexOf(end)];
  if (before === -1 || after < before) throw new Error('docs/webhooks.md has no place for the events.');
  return `${page.slice(0, before)}${start}\n\n${example()}\n\n${table()}\n\n${page.slice(after)}`;
}

const example = () => `\`\`\`json\n${JSON.stringify(webhookEvents.postPublished.example, null, 2)}\n\`\`\``;

function table(): string {
  const rows = [...Object.values(webhookEvents), webhookTest].map(
    ({ name, summary, data }) => `| \`${name}\` | ${summary} | ${fieldsOf(data)} |`,
  );
  return ['| event | sent when | `data` |', '|---|---|---|', ...rows].join('\n');
}

interface Schema {
  properties?: Record<string, Schema>;
  oneOf?: Schema[];
}

/** If an event has several shapes, fields that only some of them have come last. */
export function fieldsOf(data: ZodType): string {
  const schema = z.toJSONSchema(data) as Schema;
  const shapes = schema.oneOf ?? [schema];
  const fields = Object.assign({}, ...shapes.map(({ properties }) => properties)) as Record<string, Schema>;
  const isAlways = (name: string) => shapes.every(({ properties = {} }) => name in properties);
  const [always, sometimes] = [
    Object.keys(fields).filter(isAlways),
    Object.keys(fields).filter((name) => !isAlways(name)),
  ];
  const listed = (names: string[]) => names.map((name) => `\`${name}\`${partsOf(fields[name]!)}`).join(', ');
  return [listed(always), ...(sometimes.length > 0 ? [`sometimes ${listed(sometimes)}`] : [])].join('; ');
}

const partsOf = ({ properties }: Schema) =>
  properties
    ? ` (${Object.keys(properties)
        .map((name) => `\`${name}\``)
        .join(', ')})`
    : '';
