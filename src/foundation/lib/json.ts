export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** More than any request needs: the deepest, a draft of the composer, has 31. The contract has its own answer from 200 on. */
export const maxJsonLevels = 256;
const maxJsonValues = 10_000;

export interface JsonLimits {
  /** Fields, entries of lists, objects and lists together. */
  values: number;
  /** Objects and lists in each other. */
  levels: number;
  /** Entries of lists, where fewer of them are allowed than of values. */
  items?: number;
}

/**
 * What a JSON text has too much of. One pass over the text, so that it is found before anything is built from it. A text that
 * is no JSON may pass: what is built from it ends at its first mistake.
 */
export function jsonExcess(text: string, limits: JsonLimits): keyof JsonLimits | null {
  let values = 0;
  let items = 0;
  /** The lists and objects that are open. */
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
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

/** For JSON inside of a text of a request. Throws a SyntaxError if it is no JSON, or more than a request needs. */
export function parseSmallJson(text: string): unknown {
  if (jsonExcess(text, { values: maxJsonValues, levels: maxJsonLevels }))
    throw new SyntaxError('The JSON is too large');
  return JSON.parse(text);
}

/** Whether more than so many objects and lists stand in each other. Not recursive, because the stack is limited. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((one) => Object.values(one)).filter(isContainer);
  }
  return false;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
