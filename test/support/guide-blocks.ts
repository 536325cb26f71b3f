export interface GuideBlock {
  /** As the fence names it. */
  language: string;
  code: string;
  /** What its output has to contain. */
  expects: string;
  /** Saved under this name and run by what follows. */
  saveAs: string | null;
}

export const languages: Record<string, { program: string; args: string[]; extension: string }> = {
  sh: { program: 'bash', args: [], extension: '.sh' },
  ts: { program: process.execPath, args: [], extension: '.mts' },
  python: { program: 'python3', args: [], extension: '.py' },
  php: { program: 'php', args: [], extension: '.php' },
  go: { program: 'go', args: ['run'], extension: '.go' },
};

/**
 * A comment before a fence, which readers do not see, says what to do with it: `run`, `run expects <text>`, `save <name>`,
 * `before` with commands of the test's own, or `not run: <why>`.
 */
const marked =
  /<!-- (run|save|before|not run:)(?:\s([\s\S]*?))?-->\n(?:```(\w+)\n([\s\S]*?)\n```)?|^[ ]*```(sh|ts|js|python|php|go)\n([\s\S]*?)\n[ ]*```/gm;

/** The code of a guide in the order of the page, and what nothing is said about. */
export function blocksOf(page: string): { blocks: GuideBlock[]; unmarked: string[] } {
  const blocks: GuideBlock[] = [];
  const unmarked: string[] = [];
  for (const [, verb, rest = '', language = 'sh', code = '', , open] of page.matchAll(marked)) {
    if (!verb) unmarked.push(open ?? '');
    else if (verb === 'before') blocks.push({ language: 'sh', code: rest.trim(), expects: '', saveAs: null });
    else if (verb === 'save') blocks.push({ language, code, expects: '', saveAs: rest.trim() });
    else if (verb === 'run')
      blocks.push({ language, code, expects: rest.replace(/^expects /, '').trim(), saveAs: null });
  }
  return { blocks, unmarked };
}

/** One session in the order of the page: variables that a block sets are there in the next. It ends at the first failure. */
export function scriptOf(blocks: readonly GuideBlock[]): string {
  const steps = blocks.map((block, index) => `echo; echo "@@ ${index}"\n${stepOf(block, index)}`);
  return ['set -euo pipefail', 'exec 2>&1', ...steps].join('\n');
}

function stepOf({ language, code, saveAs }: GuideBlock, index: number): string {
  if (language === 'sh' && !saveAs) return code;
  const { program, args, extension } = languages[language] ?? { program: 'false', args: [], extension: '' };
  const file = saveAs ?? `block-${index}${extension}`;
  const save = `cat > ${file} <<'END-OF-BLOCK'\n${code}\nEND-OF-BLOCK`;
  return saveAs ? save : `${save}\n${[program, ...args, file].join(' ')}`;
}
