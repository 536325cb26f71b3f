import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import packageJson from './package.json' with { type: 'json' };
import { authorizationScenarios, scenarios } from './scenarios.ts';

test('docs/agents.md names every scenario, and every check that cannot pass with its reason', async () => {
  const text = await readFile(new URL('../../docs/agents.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split('\n## Conformance\n');
  expect(section).toContain(packageJson.dependencies['@modelcontextprotocol/conformance']);
  for (const { name } of scenarios) expect(section).toContain(`\`${name}\``);
  for (const name of Object.keys(authorizationScenarios)) expect(section).toContain(`\`${name}\``);

  const rows = [
    ...scenarios.flatMap(({ name, isEmpty, exceptions }) =>
      isEmpty ? [`| \`${name}\` | all | ${isEmpty} |`] : rowsOf(name, exceptions),
    ),
    ...Object.entries(authorizationScenarios).flatMap(([name, exceptions]) => rowsOf(name, exceptions)),
  ];
  expect(section.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows);
});

const rowsOf = (name: string, exceptions: Readonly<Record<string, string>> = {}) =>
  Object.entries(exceptions).map(([check, reason]) => `| \`${name}\` | \`${check}\` | ${reason} |`);
