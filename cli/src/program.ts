import { Command, CommanderError } from 'commander';
import { commands } from './commands/index.ts';
import { type Act, type CommonOptions, type Context, openContext, version } from './context.ts';
import { type CommandError, commandErrorOf, exitCodes, wrongUse } from './failures.ts';
import { type Output, openOutput } from './output.ts';

/** Runs one command. Returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const environment = process.env;
  const { stdout, stderr } = process;
  // Works even if the arguments cannot be parsed.
  const out = openOutput(args.includes('--json'), { stdout, stderr, environment });
  const program = buildProgram(out);
  let command = '';
  program.hook('preAction', (_, action) => {
    command = nameOf(action);
  });
  if (args.length === 0) {
    program.outputHelp();
    return exitCodes.done;
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const shown = error instanceof CommanderError ? usageError(error, args) : commandErrorOf(error);
    out.failure(command || namedIn(program, args), shown);
    if (environment.CRIER_DEBUG && error instanceof Error) stderr.write(`${error.stack}\n`);
    return exitCodes[shown.exit];
  }
}

export function buildProgram(out: Output): Command {
  const program = new Command('crier')
    .description('Publish posts to social networks with Crier: now or later, to all of them at the same time.')
    .version(version)
    .option('--json', 'print JSON: { ok, command, data } or { ok, command, error }')
    .option('--url <address>', 'URL of the service (default: CRIER_URL, or the URL of crier login)')
    .option('--user <id>', 'act for this managed user')
    .exitOverride()
    .configureOutput({ writeErr: (text) => out.isJson || process.stderr.write(text), outputError: () => {} })
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    .helpCommand('help [command]', 'show help for a command')
    .addHelpText('after', help);
  const act: Act =
    <Args extends unknown[]>(work: (context: Context, ...args: Args) => Promise<void>) =>
    async (...given) => {
      const action = given.at(-1) as Command;
      const context = openContext(nameOf(action), action.optsWithGlobals<CommonOptions>(), out, process.env);
      await work(context, ...(given.slice(0, -1) as Args));
    };
  for (const add of commands) add(program, act);
  return program;
}

const help = `
Environment:
  CRIER_URL   URL of the service, with or without /api/v1
  CRIER_KEY   API key, instead of crier login

Exit codes:
  0  success
  1  failure: a watched post failed, or something was not found
  2  usage error
  3  not signed in, or invalid key
  4  rejected by validation or by the plan
  5  the service could not be reached

Examples:
  crier login
  crier post "We are live." --to mastodon,bluesky
  crier post --file notes.md --to all --at "tomorrow 9:00" --media photo.jpg
  crier list --status scheduled`;

/** The full name of a subcommand, such as `webhooks listen`. */
function nameOf(command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at?.parent; at = at.parent) names.unshift(at.name());
  return names.join(' ');
}

function namedIn(program: Command, args: readonly string[]): string {
  return program.commands.find((command) => args.includes(command.name()))?.name() ?? '';
}

function usageError({ code, message }: CommanderError, [first, second]: readonly string[]): CommandError {
  // The help was shown because a command is missing.
  if (code === 'commander.help') {
    const isUnknown = first === 'help' && second !== undefined;
    return wrongUse(isUnknown ? `Unknown command "${second}".` : 'Name a command.', 'See: crier --help');
  }
  const [about = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const hint = suggestion?.replace(/^\((.*)\)$/, '$1') ?? null;
  return wrongUse(
    about.replace(/^./, (letter) => letter.toUpperCase()),
    hint,
  );
}
