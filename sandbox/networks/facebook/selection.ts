import { isObject, type Json, type JsonObject } from '../../json.ts';
import { invalid } from './errors.ts';

/** One of `fields=id,picture.type(large),comments.summary(true).limit(0){id,message}`. */
export interface Field {
  readonly name: string;
  readonly modifiers: Readonly<Record<string, string>>;
  readonly inner: string;
}

/** The fields that an object of the graph has. Undefined is a field that is empty now; one not named does not exist. */
export type Node = Readonly<Record<string, Json | undefined | ((field: Field) => Json | undefined)>>;

/** What was asked for, or these by default; always the id. A field that does not exist fails the whole call. */
export function select(type: string, node: Node, fields: string, byDefault: string): JsonObject {
  const chosen: JsonObject = {};
  for (const field of parseFields(fields === '' ? byDefault : fields)) {
    if (!Object.hasOwn(node, field.name))
      invalid(`Tried accessing nonexistent field (${field.name}) on node type (${type})`);
    const value = node[field.name];
    const read = typeof value === 'function' ? value(field) : value;
    if (read !== undefined) chosen[field.name] = field.inner === '' ? read : narrowed(read, field.inner);
  }
  return node.id === undefined || typeof node.id === 'function' ? chosen : { ...chosen, id: node.id };
}

export function parseFields(text: string): Field[] {
  return splitOutside(text).map((part) => {
    const [, name = '', modifiers = '', inner = ''] = /^([\w]+)((?:\.\w+\([^)]*\))*)(?:\{(.*)\})?$/s.exec(part) ?? [];
    if (name === '') invalid(`Syntax error "Expected end of string instead of "${part}"." in the parameter fields`);
    const pairs = [...modifiers.matchAll(/\.(\w+)\(([^)]*)\)/g)].map(([, key = '', value = '']) => [key, value]);
    return { name, modifiers: Object.fromEntries(pairs), inner };
  });
}

/** By commas that stand within no brackets. */
function splitOutside(text: string): string[] {
  const parts: string[] = [];
  let [depth, part] = [0, ''];
  for (const character of text) {
    if ('({'.includes(character)) depth += 1;
    if (')}'.includes(character)) depth -= 1;
    if (character === ',' && depth === 0) {
      parts.push(part);
      part = '';
    } else part += character;
  }
  return [...parts, part].map((one) => one.trim()).filter((one) => one !== '');
}

/** Of an object, or of each in a list of them. */
function narrowed(value: Json, inner: string): Json {
  if (Array.isArray(value)) return value.map((item) => narrowed(item, inner));
  if (!isObject(value)) return value;
  if (value.data !== undefined) return { ...value, data: narrowed(value.data, inner) };
  const names = ['id', ...parseFields(inner).map(({ name }) => name)];
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
}
