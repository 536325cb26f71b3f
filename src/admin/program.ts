import { Command, CommanderError } from 'commander';
import { adminCommandLine } from '../lib/admin-command-line.ts';
import { backup } from './backup.ts';
import { connectSandbox } from './connect-sandbox.ts';
import { createKey } from './create-key.ts';
import { createUser } from './create-user.ts';
import { activateUser, deactivateUser } from './deactivate-user.ts';
import { deleteUser } from './delete-user.ts';
import { disableTwoFactor } from './disable-two-factor.ts';
import { doctor } from './doctor.ts';
import { enableWorkspace } from './enable-workspace.ts';
import { describeError, errorMessage, UsageError } from './error-message.ts';
import { exportCommand } from './export.ts';
import { holdUser, releaseUser } from './hold-user.ts';
import { invite } from './invite.ts';
import { listKeys, revokeKey } from './keys.ts';
import { listUsers } from './list-users.ts';
import { migrateCommand } from './migrate.ts';
import { prove } from './prove.ts';
import { resetPassword } from './reset-password.ts';
import { restore } from './restore.ts';
import { rotateSecretKey } from './rotate-secret-key.ts';
import { setAccess } from './set-access.ts';
import { setPlan } from './set-plan.ts';
import { setRole } from './set-role.ts';

const commands = [
  listUsers,
  createUser,
  invite,
  resetPassword,
  disableTwoFactor,
  setPlan,
  setAccess,
  setRole,
  holdUser,
  releaseUser,
  deactivateUser,
  activateUser,
  deleteUser,
  listKeys,
  createKey,
  revokeKey,
  enableWorkspace,
  connectSandbox,
  prove,
  rotateSecretKey,
  exportCommand,
  backup,
  restore,
  migrateCommand,
  doctor,
];

/**
 * `npm run admin -- <command>` in a checkout. An error is printed as a sentence, with `--json` also as an object on the last line of the
 * standard output. The exit code is 2 if the command was written wrongly, and 1 if it could not be carried out.
 */
export async function runAdmin(argv: readonly string[]) {
  const program = new Command(adminCommandLine())
    .description(
      'Administers a Crier, whether or not it is running. Set DATA_DIR (or DATABASE_URL) as for `npm start`.',
    )
    .addHelpText('after', '\n<command> --help shows the options and an example.')
    .exitOverride();
  for (const command of commands) program.addCommand(command().exitOverride());
  if (argv.length <= 2) return program.outputHelp();
  try {
    await program.parseAsync(argv);
  } catch (error) {
    const command = program.commands.find((each) => each.name() === argv[2]);
    report(error, argv.includes('--json'), command?.name());
  }
}

function report(error: unknown, asJson: boolean, command: string | undefined) {
  const isWrongUse = error instanceof CommanderError || error instanceof UsageError;
  // Commander has printed its own errors and the help.
  if (error instanceof CommanderError && error.exitCode === 0) return;
  if (!(error instanceof CommanderError)) console.error(errorMessage(error));
  if (asJson) {
    const options = `For the options and an example: ${adminCommandLine(command)} --help`;
    const { code, message, hint = options } = describeError(error);
    console.log(JSON.stringify({ ok: false, error: { code, message, hint } }));
  }
  process.exitCode = isWrongUse ? 2 : 1;
}
