import { descriptions, shownNameOf } from '../src/platforms/descriptions.ts';

/** The names of the networks for the dashboard, which imports nothing from the service. */
export function platformNamesFile(): string {
  const renamed = descriptions.filter(({ id, name }) => name !== shownNameOf(id));
  return [
    '// Generated from src/platforms/index.ts by npm run generate. Do not edit.',
    listOf(
      'platformNames',
      descriptions.map(({ id }) => [id, shownNameOf(id)]),
    ),
    '/** The names in texts of the API, where they are others. */',
    listOf(
      'contractNames',
      renamed.map(({ id, name }) => [id, name]),
    ),
    '',
  ].join('\n');
}

const listOf = (name: string, entries: readonly (readonly [string, string])[]) =>
  `export const ${name} = {\n${entries.map(([id, shown]) => `  ${id}: '${shown}',\n`).join('')}} as const;`;
