import { readFileSync } from 'node:fs';
import { Crier } from '@crier/client';
import type { Command } from 'commander';
import { type Access, type Environment, findAccess } from './config.ts';
import { CommandError, wrongUse } from './failures.ts';
import type { Output } from './output.ts';
import { timeZoneOf } from './time-zone.ts';
import type { Moment } from './times.ts';

export const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);

/** Options that every command has. */
export interface CommonOptions {
  json?: boolean;
  url?: string;
  user?: string;
}

/** Passed to every command. */
export interface Context {
  readonly environment: Environment;
  readonly out: Output;
  /** The name of the command, as shown in `--json`. */
  readonly command: string;
  /** The service and its key, if there is one. */
  access(): Promise<Access>;
  /** A client with the user's key. Fails without a key. */
  service(): Promise<Crier>;
  /** Shows a result, or one event of several. */
  show(data: unknown, lines: readonly string[]): void;
  /** The current time, in the local or the given time zone. */
  moment(timeZone: string | undefined): Moment;
}

export function openContext(
  command: string,
  { url, user }: CommonOptions,
  out: Output,
  environment: Environment,
): Context {
  const access = () => findAccess(environment, url);
  return {
    environment,
    access,
    out,
    command,
    async service() {
      const found = await access();
      if (found.apiKey) return crierFor(found.url, found.apiKey, user);
      throw new CommandError('notSignedIn', `You are not signed in to ${found.url}.`, {
        code: 'NOT_SIGNED_IN',
        hint: 'Sign in with: crier login. In scripts, set CRIER_KEY.',
      });
    },
    show: (data, lines) => out.result(command, data, lines),
    moment(asked) {
      const timeZone = timeZoneOf(asked);
      if (!timeZone) throw wrongUse(`"${asked}" is not a time zone.`, 'Write for example --tz Europe/Berlin');
      return { now: new Date(), timeZone };
    },
  };
}

export const crierFor = (baseUrl: string, apiKey: string, userId?: string) =>
  new Crier({ baseUrl, apiKey, userId, headers: { 'user-agent': `crier-cli/${version}` } });

/** A function that adds a command to the program. */
export type AddCommand = (program: Command, act: Act) => void;

/** Creates the action of a command, which takes its arguments, then its options. */
export type Act = <Args extends unknown[]>(
  work: (context: Context, ...args: Args) => Promise<void>,
) => (...args: unknown[]) => Promise<void>;
