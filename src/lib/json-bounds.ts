export interface JsonBounds {
  /** Levels of arrays and objects within each other. */
  readonly depth: number;
  /** Items of all arrays together. */
  readonly items: number;
  /** Fields of all objects together. */
  readonly fields: number;
}

/**
 * Whether a text of JSON is within the bounds, which says how long reading and checking it can take. One pass, without
 * parsing. The answer for a text that is not JSON means nothing, except that the pass ends.
 */
export function isWithinBounds(text: string, bounds: JsonBounds): boolean {
  /** The open arrays and objects. */
  const open: ('[' | '{')[] = [];
  let [items, fields] = [0, 0];
  /** Whether an array has just begun. Its first item has no comma before it. */
  let isFirst = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isBlank(code)) continue;
    if (isFirst && code !== closeArray) items += 1;
    isFirst = code === openArray;
    if (code === quote) at = endOfString(text, at);
    else if (code === openArray || code === openObject) open.push(code === openArray ? '[' : '{');
    else if (code === closeArray || code === closeObject) open.pop();
    else if (code === colon) fields += 1;
    else if (code === comma && open.at(-1) === '[') items += 1;
    if (open.length > bounds.depth || items > bounds.items || fields > bounds.fields) return false;
  }
  return true;
}

/** The place of the quote that ends the string. A quote after a backslash is part of it. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

const isBlank = (code: number) => code === 0x20 || (code >= 0x09 && code <= 0x0d);
const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
const colon = ':'.charCodeAt(0);
const comma = ','.charCodeAt(0);
const [openArray, closeArray] = ['['.charCodeAt(0), ']'.charCodeAt(0)];
const [openObject, closeObject] = ['{'.charCodeAt(0), '}'.charCodeAt(0)];
