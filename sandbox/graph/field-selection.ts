import { isObject, type Json, type JsonObject } from '../http/json.ts';
import { invalid } from './errors.ts';

/** The fields of a Graph object. A field whose value is undefined is empty; a field that is absent does not exist. */
export type Node = Readonly<Record<string, Json | undefined | (() => Json | undefined)>>;

/**
 * Returns the fields that `fields=id,caption,children{id,media_url}` asks for, and always the id. An unknown field
 * fails the call.
 */
export function select(type: string, node: Node, fields: string): JsonObject {
  const chosen: JsonObject = {};
  for (const { name, inner } of parseFields(fields)) {
    if (!Object.hasOwn(node, name)) invalid(`Tried accessing nonexisting field (${name}) on node type (${type})`);
    const value = node[name];
    const read = typeof value === 'function' ? value() : value;
    if (read !== undefined) chosen[name] = inner === '' ? read : selectInner(read, inner);
  }
  return typeof node.id === 'string' ? { ...chosen, id: node.id } : chosen;
}

function parseFields(text: string): { name: string; inner: string }[] {
  return splitAtTopLevelCommas(text).map((part) => {
    const [, name = '', inner = ''] = /^(\w+)(?:\.\w+\([^)]*\))*(?:\{(.*)\})?$/s.exec(part) ?? [];
    if (name === '') invalid(`Syntax error "Expected end of string instead of "${part}"." in the parameter fields`);
    return { name, inner };
  });
}

/** Commas inside brackets do not split. */
function splitAtTopLevelCommas(text: string): string[] {
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

/** Applies to an object, or to each object of a list. */
function selectInner(value: Json, inner: string): Json {
  if (Array.isArray(value)) return value.map((item) => selectInner(item, inner));
  if (!isObject(value)) return value;
  if (value.data !== undefined) return { data: selectInner(value.data, inner) };
  const names = ['id', ...parseFields(inner).map(({ name }) => name)];
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
}
