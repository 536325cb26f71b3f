import { isObject, type Json, type JsonObject } from '../../http/json.ts';
import { invalid } from './errors.ts';

/** One field of `fields=id,picture.type(large),comments.summary(true).limit(0){id,message}`. */
export interface Field {
  readonly name: string;
  readonly modifiers: Readonly<Record<string, string>>;
  readonly inner: string;
}

/** The fields of a Graph object. A field whose value is undefined is empty; a field that is absent does not exist. */
export type Node = Readonly<Record<string, Json | undefined | ((field: Field) => Json | undefined)>>;

/** Returns the requested or the default fields, and always the id. An unknown field fails the call. */
export function select(type: string, node: Node, fields: string, byDefault: string): JsonObject {
  const chosen: JsonObject = {};
  for (const field of parseFields(fields === '' ? byDefault : fields)) {
    if (!Object.hasOwn(node, field.name))
      invalid(`Tried accessing nonexistent field (${field.name}) on node type (${type})`);
    const value = node[field.name];
    const read = typeof value === 'function' ? value(field) : value;
    if (read !== undefined) chosen[field.name] = field.inner === '' ? read : selectInner(read, field.inner);
  }
  return node.id === undefined || typeof node.id === 'function' ? chosen : { ...chosen, id: node.id };
}

export function parseFields(text: string): Field[] {
  return splitAtTopLevelCommas(text).map((part) => {
    const [, name = '', modifiers = '', inner = ''] = /^([\w]+)((?:\.\w+\([^)]*\))*)(?:\{(.*)\})?$/s.exec(part) ?? [];
    if (name === '') invalid(`Syntax error "Expected end of string instead of "${part}"." in the parameter fields`);
    const pairs = [...modifiers.matchAll(/\.(\w+)\(([^)]*)\)/g)].map(([, key = '', value = '']) => [key, value]);
    return { name, modifiers: Object.fromEntries(pairs), inner };
  });
}

/** Commas inside brackets do not split. */
function splitAtTopLevelCommas(text: string): string[] {
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

/** Applies to an object, or to each object of a list. */
function selectInner(value: Json, inner: string): Json {
  if (Array.isArray(value)) return value.map((item) => selectInner(item, inner));
  if (!isObject(value)) return value;
  if (value.data !== undefined) return { ...value, data: selectInner(value.data, inner) };
  const names = ['id', ...parseFields(inner).map(({ name }) => name)];
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
}
