import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, matchesGlob } from 'node:path';
import { root } from '../support/processes/crier.ts';

/** The files of the checkout that the image is built from: those that `.dockerignore` does not exclude. */
export async function contextFiles(): Promise<string[]> {
  const ignored = (await readFile(join(root, '.dockerignore'), 'utf8')).split('\n').filter(Boolean);
  const patterns = ignored.flatMap((pattern) => [pattern, `${pattern}/**`]);
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && !patterns.some((pattern) => matchesGlob(file, pattern)));
}

/** Its instructions in order, each on one line. */
export async function dockerfile(): Promise<{ instruction: string; argument: string }[]> {
  const text = await readFile(join(root, 'Dockerfile'), 'utf8');
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter(Boolean);
  return lines.map((line) => {
    const [instruction = ''] = line.split(' ', 1);
    return { instruction, argument: line.slice(instruction.length).trim() };
  });
}
