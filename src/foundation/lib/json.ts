export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * More than any request needs: the deepest, a composer draft, has 31. From 200 on, the contract defines its own
 * response.
 */
export const maxJsonLevels = 256;
const maxJsonValues = 10_000;

export interface JsonLimits {
  /** Fields, list entries, objects and lists together. */
  values: number;
  /** Nesting depth of objects and lists. */
  levels: number;
  /** List entries, if their limit is lower than that of values. */
  items?: number;
}

/**
 * The limit that a JSON text exceeds. Scans the text once, before anything is built from it. Invalid JSON may pass: its
 * parser stops at the first error.
 */
export function jsonExcess(text: string, limits: JsonLimits): keyof JsonLimits | null {
  let values = 0;
  let items = 0;
  /** The open lists and objects. */
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfString(text, at);
    else if (character === closeList || character === closeObject) open.pop();
    else {
      const opens = character === openList || character === openObject;
      if (opens) open.push(character);
      if (opens || character === comma) {
        values += 1;
        if (open.at(-1) === openList) items += 1;
      }
      if (open.length > limits.levels) return 'levels';
      if (values > limits.values) return 'values';
      if (limits.items !== undefined && items > limits.items) return 'items';
    }
  }
  return null;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

function endOfString(text: string, start: number): number {
  // Much faster than reading a long text character by character.
  const firstQuote = text.indexOf('"', start + 1);
  if (firstQuote > 0 && text.charCodeAt(firstQuote - 1) !== backslash) return firstQuote;
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

/** For JSON inside a text of a request. Throws a SyntaxError if it is not JSON, or more than a request needs. */
export function parseSmallJson(text: string): unknown {
  if (jsonExcess(text, { values: maxJsonValues, levels: maxJsonLevels }))
    throw new SyntaxError('The JSON is too large');
  return JSON.parse(text);
}

/** Whether objects and lists are nested deeper than this many levels. Not recursive, because the stack is limited. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((one) => Object.values(one)).filter(isContainer);
  }
  return false;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
