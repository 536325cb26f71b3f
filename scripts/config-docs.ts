import { describedVariables } from '../src/config/config.ts';
import { connectables } from '../src/platforms/index.ts';

const [start, end] = ['<!-- generated from src/config/config.ts: npm run generate -->', '<!-- end of generated -->'];

/** The headings of the page, with the prefixes of their variables. A variable goes under the first match. */
const sections: readonly [title: string, begins: readonly string[]][] = [
  ['Address and access', ['PORT', 'HOST', 'PUBLIC_URL', 'TRUST_PROXY', 'ALLOW_INSECURE', 'CORS', 'EGRESS', 'SIGN_UP']],
  ['Processes and data', ['ROLES', 'STOP', 'DATA', 'STORAGE', 'SECRET']],
  ['Networks', ['NETWORKS', 'SANDBOX', ...Object.keys(connectables).map((platform) => platform.toUpperCase())]],
  ['Mail', ['MAIL']],
  ['Limits and behaviour', ['DEFAULT_PLAN', 'STRICT', 'RATE', 'MCP']],
  ['Retention', ['RETENTION']],
  ['Monitoring', ['METRICS', 'LOG', 'OTEL']],
];

/** The configuration page, with the current variables of `src/config`. */
export function withVariables(page: string): string {
  const [before, after] = [page.indexOf(start), page.indexOf(end)];
  if (before === -1 || after < before) throw new Error('docs/configuration.md has no place for the variables.');
  return `${page.slice(0, before)}${start}\n\n${tables().join('\n\n')}\n\n${page.slice(after)}`;
}

function tables(): string[] {
  const rest = new Set(describedVariables());
  const taken = (begins: readonly string[]) => {
    const fitting = [...rest].filter(({ name }) => begins.some((word) => name.startsWith(word)));
    for (const one of fitting) rest.delete(one);
    return fitting;
  };
  const grouped = sections.map(([title, begins]) => [title, taken(begins)] as const);
  return [...grouped, ['More', [...rest]] as const]
    .filter(([, variables]) => variables.length > 0)
    .map(([title, variables]) => [`## ${title}`, '', ...tableOf(variables)].join('\n'));
}

const tableOf = (variables: readonly ReturnType<typeof describedVariables>[number][]) => [
  '| variable | default | meaning |',
  '|---|---|---|',
  ...variables.map(({ name, about, standard }) => {
    const words = /Default: (.*?)\.(?= |$)/.exec(about)?.[1];
    const meaning = about.replace(/ ?Default: .*?\.(?= |$)/, '');
    return `| \`${name}\` | ${words ? cell(words) : literal(standard)} | ${cell(meaning)} |`;
  }),
];

/** Formats a value as code, unless it is wider than the column. */
function literal(standard: string): string {
  if (standard === '') return 'none';
  return standard.length > 60 ? 'see `.env.example`' : `\`${standard}\``;
}

/** Formats names of variables and commands as code, and escapes HTML. */
const cell = (text: string) =>
  text
    .replace(/^(?!none$|all$|nowhere$)\S+$/, '`$&`')
    .replaceAll(/(?<!`)\b(?:[A-Z]{2,}(?:_[A-Z]+)+|PORT|HOST|NETWORKS)(?:=\w+)?\b(?!`)/g, '`$&`')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
