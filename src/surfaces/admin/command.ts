import { Command, InvalidArgumentError, Option } from 'commander';
import { planKeys } from '../../config/plans.ts';
import { adminCommandLine } from '../../foundation/system/admin-command-line.ts';
import { parseInstant } from '../../foundation/time/times.ts';

export interface Common {
  json?: true;
}

/** The common parts of all commands: `--json`, `--help` with an example, and errors that refer to it. */
export function adminCommand(name: string, words: { about: string; more?: string; example: string }): Command {
  const { about, more, example } = words;
  return new Command(name)
    .summary(about)
    .description(more ? `${about}\n\n${more}` : about)
    .option('--json', 'print the result as one JSON object, on the last line')
    .addHelpText('after', `\nExample:\n  ${adminCommandLine(name)} ${example}`.trimEnd())
    .showHelpAfterError(`For an example: ${adminCommandLine(name)} --help`);
}

export const userOption = () => new Option('--user <id or email>', 'the user').makeOptionMandatory();

export const planOption = () => new Option('--plan <plan>', 'the plan of the account').choices(planKeys);

export const onOff = (flags: string, about: string) =>
  new Option(flags, about).argParser((text) => {
    if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('Use on or off.');
    return text === 'on';
  });

export function instant(text: string): Date {
  const time = parseInstant(text);
  if (!time) throw new InvalidArgumentError('Use a time such as 2027-04-01T00:00:00Z.');
  return time;
}

export function count(max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < 1 || value > max)
      throw new InvalidArgumentError(`Use a whole number from 1 to ${max}.`);
    return value;
  };
}
