import { Command, InvalidArgumentError, Option } from 'commander';
import { planKeys } from '../lib/plans.ts';

export interface Common {
  json?: true;
}

/** What all commands have: `--json`, `--help` with an example, errors that point to it. */
export function adminCommand(name: string, words: { about: string; more?: string; example: string }): Command {
  const { about, more, example } = words;
  return new Command(name)
    .summary(about)
    .description(more ? `${about}\n\n${more}` : about)
    .option('--json', 'print the answer as one JSON object, on the last line')
    .addHelpText('after', `\nExample:\n  npm run admin -- ${name} ${example}`.trimEnd())
    .showHelpAfterError(`For an example: npm run admin -- ${name} --help`);
}

export const userOption = () => new Option('--user <id or e-mail>', 'the user').makeOptionMandatory();

export const planOption = () => new Option('--plan <plan>', 'what the account may do').choices(planKeys);

export function count(max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < 1 || value > max)
      throw new InvalidArgumentError(`Write a whole number from 1 to ${max}.`);
    return value;
  };
}
