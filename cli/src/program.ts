import { Command, CommanderError } from 'commander';
import { commands } from './commands/index.ts';
import { type Act, type CommonOptions, type Context, openContext, version } from './context.ts';
import { commandErrorOf, exitCodes, wrongUse } from './failures.ts';
import { type Output, openOutput } from './output.ts';

/** Runs one command. Returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const environment = process.env;
  const { stdout, stderr } = process;
  // Also where the arguments cannot be understood.
  const out = openOutput(args.includes('--json'), { stdout, stderr, environment });
  const program = buildProgram(out);
  let command = '';
  program.hook('preAction', (_, action) => {
    command = nameOf(action);
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const shown = error instanceof CommanderError ? usageError(error) : commandErrorOf(error);
    out.failure(command || namedIn(program, args), shown);
    if (environment.CRIER_DEBUG && error instanceof Error) stderr.write(`${error.stack}\n`);
    return exitCodes[shown.exit];
  }
}

export function buildProgram(out: Output): Command {
  const program = new Command('crier')
    .description('Post to social networks with Crier: now or later, to all of them at once.')
    .version(version)
    .option('--json', 'print JSON: { ok, command, data } or { ok, command, error }')
    .option('--url <address>', 'the service (default: CRIER_URL, or that of crier login)')
    .option('--user <id>', 'act for this managed user')
    .exitOverride()
    .configureOutput({ writeErr: (text) => out.isJson || process.stderr.write(text), outputError: () => {} })
    .showSuggestionAfterError()
    .addHelpText('after', help);
  // Programs that read JSON get an error, people get the help.
  program.action((_, { args }: Command) => {
    if (args.length === 0 && !out.isJson) return program.outputHelp();
    throw wrongUse(args.length > 0 ? `There is no command "${args[0]}".` : 'Name a command.', 'See: crier --help');
  });
  const act: Act =
    <Args extends unknown[]>(work: (context: Context, ...args: Args) => Promise<void>) =>
    async (...given) => {
      const action = given.at(-1) as Command;
      const context = openContext(nameOf(action), action.optsWithGlobals<CommonOptions>(), out, process.env);
      await work(context, ...(given.slice(0, -1) as Args));
    };
  for (const add of commands) add(program, act);
  // For the message above; commands would inherit it.
  program.allowExcessArguments();
  return program;
}

const help = `
Environment:
  CRIER_URL   the address of the service, with or without /api/v1
  CRIER_KEY   an API key, instead of crier login

Exit codes:
  0  done
  1  failed: a post that was waited for failed, or something was not found
  2  wrong use
  3  not signed in, or the key is wrong
  4  refused by validation or by the plan
  5  the service was not reached

Examples:
  crier login
  crier post "We are live." --to mastodon,bluesky
  crier post --file notes.md --to all --at "tomorrow 9:00" --media photo.jpg
  crier list --status scheduled`;

/** `webhooks listen` is a command of a command. */
function nameOf(command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at?.parent; at = at.parent) names.unshift(at.name());
  return names.join(' ');
}

function namedIn(program: Command, args: readonly string[]): string {
  return program.commands.find((command) => args.includes(command.name()))?.name() ?? '';
}

const usageError = ({ message }: CommanderError) =>
  wrongUse(message.replace(/^error: /, '').replace(/^./, (letter) => letter.toUpperCase()));
