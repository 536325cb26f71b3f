import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Json } from '../../../src/foundation/lib/json.ts';
import type { Exchange } from '../exchange.ts';
import { notCovered, type Spec, type Verdict } from '../spec.ts';

/** A package's types for a call. */
export interface TypedCall {
  readonly values: readonly TypedValue[];
  /** Problems that types cannot express. */
  readonly problems?: readonly string[];
}
export interface TypedValue {
  readonly of: 'request' | 'answer';
  /** An expression with the imports of the spec. */
  readonly type: string;
  readonly value: Json;
}

/** A placeholder for an uploaded file. */
export const uploadedFile = '(an uploaded file)';

export interface TypeSpec extends Pick<Spec, 'source' | 'limits'> {
  /** Declarations on one line. */
  readonly imports: string;
  /** Null if the types do not cover the call. */
  typesOf(exchange: Exchange): TypedCall | null;
}

/** Checks calls with the TypeScript compiler: each value must be assignable to its type, without unknown fields. */
export function typeSpec({ imports, typesOf, ...spec }: TypeSpec): Spec {
  return {
    ...spec,
    async check(exchanges) {
      const calls = exchanges.map(typesOf);
      const values = calls.flatMap((call) => call?.values ?? []);
      const errors = await compile(imports, values);
      return exchanges.map((exchange, index): Verdict => {
        const call = calls[index];
        if (!call) return notCovered(exchange);
        const found = call.values.flatMap((value) => errors.get(value)?.map((text) => `${value.of}: ${text}`) ?? []);
        const answer = call.values.some((value) => value.of === 'answer');
        return { exchange, covers: { request: true, answer }, problems: [...(call.problems ?? []), ...found] };
      });
    },
  };
}

// A query has only texts. A list is written with commas, and is split before it gets here.
const helpers = `declare const uploadedFile: Blob; \
type Text<T> = T extends number ? \`\${number}\` : T extends boolean ? \`\${boolean}\` \
: T extends readonly (infer E)[] ? readonly Text<E>[] : T extends string ? T : string; \
type Query<P> = { [K in keyof P]: Text<NonNullable<P[K]>> };`;

async function compile(imports: string, values: readonly TypedValue[]): Promise<Map<TypedValue, string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'crier-specs-'));
  const lines = values.flatMap((value, index): Line[] => [
    { text: `export const value${index}: ${value.type} =`, value, at: '' },
    ...literal(value.value, '').map((line) => ({ ...line, value })),
    { text: ';', value, at: '' },
  ]);
  try {
    await symlink(fileURLToPath(new URL('../node_modules', import.meta.url)), join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['values.ts'] }));
    await writeFile(join(folder, 'values.ts'), [imports + helpers, ...lines.map(({ text }) => text)].join('\n'));
    return errorsIn(await runCompiler(folder), lines);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Each field is on a separate line, which locates an error. */
interface Line {
  readonly text: string;
  readonly value: TypedValue;
  readonly at: string;
}

function literal(value: Json, at: string): Omit<Line, 'value'>[] {
  if (value === uploadedFile) return [{ text: 'uploadedFile', at }];
  if (typeof value !== 'object' || value === null) return [{ text: JSON.stringify(value), at }];
  const isList = Array.isArray(value);
  const inner = Object.entries(value).flatMap(([name, item]) => {
    const place = `${at}/${name}`;
    const label = isList ? [] : [{ text: `${JSON.stringify(name)}:`, at: place }];
    return [...label, ...literal(item as Json, place), { text: ',', at: place }];
  });
  return [{ text: isList ? '[' : '{', at }, ...inner, { text: isList ? ']' : '}', at }];
}

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'esnext',
  lib: ['esnext', 'dom'],
  module: 'nodenext',
  types: [],
  skipLibCheck: true,
  preserveSymlinks: true,
};

function runCompiler(folder: string): Promise<string> {
  const compiler = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url));
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
    execFile(compiler, ['-p', '.', '--pretty', 'false'], options, (error, stdout) => {
      // The compiler exits with 1 or 2 if it found errors.
      if (error && !(Number(error.code) <= 2)) reject(error);
      else resolve(stdout);
    });
  });
}

function errorsIn(output: string, lines: readonly Line[]): Map<TypedValue, string[]> {
  const errors = new Map<TypedValue, string[]>();
  for (const report of output.split(/\n(?=\S)/).filter((text) => text.trim() !== '')) {
    const [, number, text] = /^values\.ts\((\d+),\d+\): error \w+: ([\s\S]*)/.exec(report) ?? [];
    const line = lines[Number(number) - 2];
    if (!line || !text) throw new Error(`The types could not be compiled: ${report}`);
    // The first sentence describes the whole value, the last one the actual problem.
    const reason = text.trim().split('\n').at(-1)?.trim() ?? text;
    const problem = `"${line.at || '/'}": ${reason.length > 400 ? `${reason.slice(0, 400)}…` : reason}`;
    errors.set(line.value, [...(errors.get(line.value) ?? []), problem]);
  }
  return errors;
}
