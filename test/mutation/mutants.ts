import { parseSync } from 'oxc-parser';

/** One change in one place of a file that a test should notice. */
export interface Mutant {
  /** Offsets in the source. */
  start: number;
  end: number;
  replacement: string;
  line: number;
}

const flipped: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '>=',
  '>': '<=',
  '<=': '>',
  '>=': '<',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

interface Node {
  type: string;
  start: number;
  end: number;
  operator?: string;
  value?: unknown;
  left?: Node;
  right?: Node;
  argument?: Node;
}

/** Every comparison, negation, boolean and default of the file, each flipped once. */
export function mutantsOf(source: string): Mutant[] {
  const found: Mutant[] = [];
  const add = (start: number, end: number, replacement: string) =>
    found.push({ start, end, replacement, line: source.slice(0, start).split('\n').length });
  const visit = (node: Node) => {
    if (node.type.startsWith('TS') && !keepsValue.has(node.type)) return;
    const { type, start, end, operator = '', left, right, argument } = node;
    const replacement = flipped[operator];
    if (left && right && replacement) {
      const at = source.indexOf(operator, left.end);
      add(at, at + operator.length, replacement);
    }
    if (type === 'UnaryExpression' && operator === '!' && argument)
      add(start, end, source.slice(argument.start, argument.end));
    if (type === 'Literal' && typeof node.value === 'boolean') add(start, end, String(!node.value));
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child);
  };
  visit(parseSync('mutated.ts', source).program as Node);
  return found;
}

/** TypeScript syntax around a value, which itself stays. */
const keepsValue = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

export const mutated = (source: string, { start, end, replacement }: Mutant): string =>
  source.slice(0, start) + replacement + source.slice(end);
