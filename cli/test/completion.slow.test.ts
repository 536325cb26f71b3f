import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/database/temporary-server.ts';

const command = fileURLToPath(new URL('../bin/crier.js', import.meta.url));

const isThere = (shell: string) => spawnSync(shell, ['--version']).status === 0;
const shells = ['bash', 'zsh', 'fish'].filter(isThere);
const missing = ['bash', 'zsh', 'fish'].filter((shell) => !shells.includes(shell));
if (missing.length > 0) console.info(`Not installed here, so their completion is not tried: ${missing.join(', ')}.`);

const run = (...args: string[]) => spawnSync(process.execPath, [command, ...args], { encoding: 'utf8' });
const scripts = Object.fromEntries(['bash', 'zsh', 'fish'].map((shell) => [shell, run('completion', shell).stdout]));

/** Types into a shell in a terminal, with `crier` as a function that prints its arguments. */
async function type(shell: 'bash' | 'zsh', keys: string): Promise<string> {
  const folder = await temporaryFolder();
  const start = { bash: 'bash --norc --noprofile -i', zsh: 'zsh -f -i' }[shell];
  const env = { PATH: process.env.PATH ?? '', HOME: folder.path, TERM: 'dumb', PS1: '' };
  const child = spawn('script', ['-qec', start, '/dev/null'], { cwd: folder.path, env });
  const shown = text(child.stdout);
  child.stdin.write(`${scripts[shell]}\ncrier() { echo "called with: $*"; }\n`);
  child.stdin.end(`${keys}\nexit\n`);
  const output = await shown;
  await folder.remove();
  return output;
}

test.each(shells.filter((shell): shell is 'bash' | 'zsh' => shell !== 'fish'))(
  'in %s, Tab completes commands and options',
  async (shell) => {
    expect(await type(shell, 'crier conn\t')).toMatch(/called with: connections\s/);
    expect(await type(shell, 'crier post --dry\t')).toMatch(/called with: post --dry-run\s/);
    expect(await type(shell, 'crier webhooks li\t')).toMatch(/called with: webhooks listen\s/);
  },
);

test.each(shells.filter((shell) => shell === 'fish'))('in %s, commands and options are completed', (shell) => {
  const complete = (line: string) => {
    const script = `${scripts[shell]}\ncomplete -C '${line}'`;
    const { stdout, stderr } = spawnSync(shell, ['--no-config', '-c', script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout
      .trim()
      .split('\n')
      .map((found) => found.split('\t')[0]);
  };
  expect(complete('crier conn')).toEqual(['connections']);
  expect(complete('crier post --dr')).toEqual(['--draft', '--dry-run']);
  expect(complete('crier webhooks li')).toContain('listen');
});

test('another shell is refused, and every command is in each script', () => {
  expect(run('completion', 'tcsh').status).toBe(2);
  const { stdout } = run('--help');
  const names = [...stdout.matchAll(/^ {2}([a-z]+)[ \n]/gm)].map(([, name]) => name ?? '');
  const commands = names.filter((name) => name !== 'crier' && name !== 'help');
  expect(commands.length).toBeGreaterThan(8);
  for (const shell of ['bash', 'zsh', 'fish']) {
    for (const name of commands) expect(scripts[shell]).toContain(name);
  }
});
