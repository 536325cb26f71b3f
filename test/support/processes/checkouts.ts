import { execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './crier.ts';

const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });

/**
 * The last release in this history. Before the first release: the previous commit, or the latest one if that changed
 * migrations, which may be edited until then. Null without a history.
 */
export function previousVersion(): string | null {
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*');
  if (tag.status === 0) return tag.stdout.trim();
  return ['HEAD~1', 'HEAD'].find((commit) => git('diff', '--quiet', commit, '--', 'migrations').status === 0) ?? null;
}

/** Checks out the files of a commit. */
export async function checkOut(commit: string, folder: string) {
  await mkdir(folder);
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1e9 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  await complete(folder);
}

const leftOut = ['node_modules', '.git', 'dashboard', 'data'].map((name) => join(root, name));

/** Copies the current files. */
export async function copyCheckout(folder: string) {
  await cp(root, folder, { recursive: true, filter: (path) => !leftOut.includes(path) });
  await complete(folder);
}

/** Uses the current packages. The service reports that it runs without a dashboard, which takes long to build. */
async function complete(folder: string) {
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await rm(join(folder, 'dashboard'), { recursive: true, force: true });
}
