import { escapeHtml } from '../../../foundation/text/escape-html.ts';
import { nameIn, type Schema } from './document.ts';
import { inline } from './markdown.ts';

/** What a schema consists of: its fields, or the name of its type. Shared schemas are links to their own place. */
export function schemaHtml(schema: Schema): string {
  const fields = fieldsOf(schema);
  return fields || `<p class="type">${typeHtml(schema)}</p>`;
}

function fieldsOf({ properties, required = [] }: Schema): string {
  if (!properties || Object.keys(properties).length === 0) return '';
  const rows = Object.entries(properties).map(([name, schema]) =>
    fieldHtml({ name, schema, isRequired: required.includes(name) }),
  );
  return `<dl>${rows.join('')}</dl>`;
}

export interface Field {
  name: string;
  schema: Schema;
  isRequired: boolean;
  description?: string | undefined;
  /** Where it is sent: in the path, the query or a header. */
  place?: string | undefined;
}

export function fieldHtml({ name, schema, isRequired, description = schema.description, place }: Field): string {
  const facts = [typeHtml(schema), place, isRequired && '<b>required</b>', ...bounds(schema)].filter(Boolean);
  const about = description ? `<p>${inline(description)}</p>` : '';
  return `<dt><code>${escapeHtml(name)}</code> <span>${facts.join(', ')}</span></dt><dd>${about}${innerFields(schema)}</dd>`;
}

/** The fields of an object that has no name of its own, also inside a list or beside null. */
function innerFields(schema: Schema): string {
  const inner = [schema, schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return inner.map((each) => (each ? fieldsOf(each) : '')).join('');
}

function typeHtml(schema: Schema): string {
  const { $ref, anyOf, oneOf, allOf, items, type, additionalProperties } = schema;
  if ($ref) return `<a href="#schema-${nameIn($ref)}">${nameIn($ref)}</a>`;
  const several = anyOf ?? oneOf;
  if (several) return [...new Set(several.map(typeHtml))].join(' or ');
  if (allOf) return allOf.map(typeHtml).join(' and ');
  if (schema.enum) return schema.enum.map(literal).join(' or ');
  if (schema.const !== undefined) return literal(schema.const);
  if (items) return `list of ${typeHtml(items)}`;
  if (typeof additionalProperties === 'object') return `object with values of ${typeHtml(additionalProperties)}`;
  const name = Array.isArray(type) ? type.join(' or ') : (type ?? 'any value');
  return schema.format ? `${name} (${escapeHtml(schema.format)})` : name;
}

const literal = (value: unknown) => `<code>${escapeHtml(JSON.stringify(value))}</code>`;

function bounds({ default: preset, minimum, maximum, minLength, maxLength, minItems, maxItems }: Schema): string[] {
  const range = (least: number | undefined, most: number | undefined, unit: string) => {
    if (least !== undefined && most !== undefined && most < Number.MAX_SAFE_INTEGER)
      return [`${least} to ${most}${unit}`];
    if (most !== undefined && most < Number.MAX_SAFE_INTEGER) return [`at most ${most}${unit}`];
    return least !== undefined && least > 0 ? [`at least ${least}${unit}`] : [];
  };
  return [
    ...range(minimum === -Number.MAX_SAFE_INTEGER ? undefined : minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(minItems, maxItems, ' items'),
    ...(preset === undefined ? [] : [`default ${literal(preset)}`]),
  ];
}
