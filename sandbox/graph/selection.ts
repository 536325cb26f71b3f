import { isObject, type Json, type JsonObject } from '../json.ts';
import { invalid } from './errors.ts';

/** The fields that an object of the graph has. Undefined is a field that is empty now; one not named does not exist. */
export type Node = Readonly<Record<string, Json | undefined | (() => Json | undefined)>>;

/** What `fields=id,caption,children{id,media_url}` asks for; always the id. A field that does not exist fails the call. */
export function select(type: string, node: Node, fields: string): JsonObject {
  const chosen: JsonObject = {};
  for (const { name, inner } of parseFields(fields)) {
    if (!Object.hasOwn(node, name)) invalid(`Tried accessing nonexisting field (${name}) on node type (${type})`);
    const value = node[name];
    const read = typeof value === 'function' ? value() : value;
    if (read !== undefined) chosen[name] = inner === '' ? read : narrowed(read, inner);
  }
  return typeof node.id === 'string' ? { ...chosen, id: node.id } : chosen;
}

function parseFields(text: string): { name: string; inner: string }[] {
  return splitOutside(text).map((part) => {
    const [, name = '', inner = ''] = /^(\w+)(?:\.\w+\([^)]*\))*(?:\{(.*)\})?$/s.exec(part) ?? [];
    if (name === '') invalid(`Syntax error "Expected end of string instead of "${part}"." in the parameter fields`);
    return { name, inner };
  });
}

/** By commas that stand within no brackets. */
function splitOutside(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if ('({'.includes(character)) depth += 1;
    if (')}'.includes(character)) depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts.push(`${parts.pop()}${character}`);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Of an object, or of each in a list of them. */
function narrowed(value: Json, inner: string): Json {
  if (Array.isArray(value)) return value.map((item) => narrowed(item, inner));
  if (!isObject(value)) return value;
  if (value.data !== undefined) return { data: narrowed(value.data, inner) };
  const names = ['id', ...parseFields(inner).map(({ name }) => name)];
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
}
