export interface GuideBlock {
  /** As named in the fence. */
  language: string;
  code: string;
  /** Text that its output must contain. */
  expects: string;
  /** Saved under this name, and run by a later block. */
  saveAs: string | null;
  /** It never ends, so it is stopped once the output is there. */
  isEndless: boolean;
}

export const languages: Record<string, { program: string; args: string[]; extension: string }> = {
  sh: { program: 'bash', args: [], extension: '.sh' },
  ts: { program: process.execPath, args: [], extension: '.mts' },
  python: { program: 'python3', args: [], extension: '.py' },
  php: { program: 'php', args: [], extension: '.php' },
  go: { program: 'go', args: ['run'], extension: '.go' },
};

/**
 * A comment above a fence, invisible to readers, says what to do with it: `run`, `run expects <text>`, `run until
 * <text>`, `save <name>`, or `not run: <why>`. `before` has commands of the test, and `with` has code that is put
 * before every later block of its language.
 */
const marked =
  /<!-- (run until|run expects|run|save|before|with \w+|not run:)(?:\s([\s\S]*?))?\s*-->(?=\n( *```)?)|^( *)```(\w*)\n([\s\S]*?)\n\4```$/gm;

/** The code of a page in order, and the unmarked blocks. JSON examples need no mark, but must be valid JSON. */
export function blocksOf(page: string): { blocks: GuideBlock[]; unmarked: string[] } {
  const blocks: GuideBlock[] = [];
  const unmarked: string[] = [];
  const preludes = new Map<string, string>();
  let mark: { verb: string; rest: string } | null = null;
  for (const [, verb, rest = '', fenceFollows, , language = '', code = ''] of page.matchAll(marked)) {
    if (verb === 'before') blocks.push(blockOf('sh', rest));
    else if (verb?.startsWith('with ')) preludes.set(verb.slice('with '.length), `${rest}\n`);
    else if (verb) mark = fenceFollows ? { verb, rest } : null;
    else {
      const block = mark && markedBlock(mark, language || 'sh', `${preludes.get(language) ?? ''}${code}`);
      if (block) blocks.push(block);
      else if (!mark && !(language === 'json' && isJson(code))) unmarked.push(code);
      mark = null;
    }
  }
  return { blocks, unmarked };
}

function blockOf(language: string, code: string, more: Partial<GuideBlock> = {}): GuideBlock {
  return { language, code, expects: '', saveAs: null, isEndless: false, ...more };
}

function markedBlock({ verb, rest }: { verb: string; rest: string }, language: string, code: string) {
  if (verb === 'not run:') return null;
  if (verb === 'save') return blockOf(language, code, { saveAs: rest });
  return blockOf(language, code, { expects: rest, isEndless: verb === 'run until' });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** One session in the order of the page: variables set in a block exist in the next. It ends at the first failure. */
export function scriptOf(blocks: readonly GuideBlock[]): string {
  const steps = blocks.map((block, index) => `echo; echo "@@ ${index}"\n${stepOf(block, index)}`);
  return ['set -euo pipefail', 'exec 2>&1', "trap 'kill $(jobs -p) 2> /dev/null || true' EXIT", ...steps].join('\n');
}

function stepOf(block: GuideBlock, index: number): string {
  const { saveAs, code, isEndless, expects } = block;
  if (saveAs) return saved(saveAs, code);
  const commands = commandsOf(block, index);
  return isEndless ? untilShown(commands, expects, `output-${index}.txt`) : commands;
}

function commandsOf({ language, code }: GuideBlock, index: number): string {
  if (language === 'sh') return code;
  const { program, args, extension } = languages[language] ?? { program: 'false', args: [], extension: '' };
  const file = `block-${index}${extension}`;
  return `${saved(file, code)}\n${[program, ...args, file].join(' ')}`;
}

const saved = (file: string, code: string) => `cat > ${file} <<'END-OF-BLOCK'\n${code}\nEND-OF-BLOCK`;

/** The job has its own process group, so that everything it started ends with it. */
const untilShown = (code: string, expected: string, output: string) => `set -m
( ${code}
) > ${output} 2>&1 &
set +m
for i in $(seq 300); do grep -qF -- ${quoted(expected)} ${output} && break; sleep 0.1; done
kill -- -$! 2> /dev/null || true
wait $! || true
cat ${output}`;

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
