import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { CannotRun } from '../real/servers/server.ts';

/** A machine with its own address: a network namespace, linked to this machine and the others. */
export interface Machine {
  readonly address: string;
  /** The command prefix that runs a program there. */
  readonly launcher: readonly string[];
  /** Pulls the plug: packets are dropped, and neither end is notified. */
  cut(): Promise<void>;
  repair(): Promise<void>;
}

export interface Network {
  /** The address of this machine. */
  readonly address: string;
  addMachine(name: string, address: string): Promise<Machine>;
}

const ip = async (...args: string[]) => (await promisify(execFile)('ip', args)).stdout;

/** An isolated network without outside access. Needs root, and `ip` from the package iproute2. */
export async function openNetwork(prefix: string, stack: AsyncDisposableStack): Promise<Network> {
  const id = `crier${process.pid}`;
  await ip('link', 'add', id, 'type', 'bridge').catch((error: Error) => {
    throw new CannotRun(`there can be no network namespaces: ${error.message.trim().split('\n').at(-1)}`);
  });
  stack.defer(async () => void (await ip('link', 'delete', id)));
  await removeLeftovers();
  const address = `${prefix}.1`;
  await ip('address', 'add', `${address}/24`, 'dev', id);
  await ip('link', 'set', id, 'up');
  return {
    address,
    async addMachine(name, address) {
      const [namespace, plug] = [`${id}-${name}`, `${id}${name}`.slice(0, 15)];
      await ip('netns', 'add', namespace);
      stack.defer(async () => void (await ip('netns', 'delete', namespace)));
      await ip('link', 'add', plug, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
      await ip('link', 'set', plug, 'master', id, 'up');
      await ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0');
      for (const device of ['lo', 'eth0']) await ip('-n', namespace, 'link', 'set', device, 'up');
      return {
        address,
        launcher: ['ip', 'netns', 'exec', namespace],
        cut: async () => void (await ip('link', 'set', plug, 'down')),
        repair: async () => void (await ip('link', 'set', plug, 'up')),
      };
    },
  };
}

/** Removes the leftovers of a killed process. Two networks with the same addresses would not work. */
async function removeLeftovers() {
  const isLeft = ([, pid = '']: RegExpMatchArray) => !existsSync(`/proc/${pid}`);
  const left = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].filter(isLeft).map(([name]) => name);
  for (const name of left(await ip('netns', 'list'), /^crier(\d+)-\w+/gm)) await ip('netns', 'delete', name);
  for (const name of left(await ip('link', 'show', 'type', 'bridge'), /\bcrier(\d+)\b/g))
    await ip('link', 'delete', name);
}
