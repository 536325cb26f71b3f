import { Command, CommanderError } from 'commander';
import { adminCommandLine } from '../../foundation/system/admin-command-line.ts';
import { backup } from './backup/backup.ts';
import { restore } from './backup/restore.ts';
import { doctor } from './doctor/doctor.ts';
import { describeError, errorMessage, UsageError } from './error-message.ts';
import { exportCommand } from './export/export.ts';
import { createKey } from './keys/create-key.ts';
import { listKeys, revokeKey } from './keys/keys.ts';
import { migrateCommand } from './migrate.ts';
import { printable } from './print-result.ts';
import { prove } from './prove/prove.ts';
import { rotateSecretKey } from './rotate-secret-key.ts';
import { connectSandbox } from './users/connect-sandbox.ts';
import { createUser } from './users/create-user.ts';
import { activateUser, deactivateUser } from './users/deactivate-user.ts';
import { deleteUser } from './users/delete-user.ts';
import { disableTwoFactor } from './users/disable-two-factor.ts';
import { enableWorkspace } from './users/enable-workspace.ts';
import { holdUser, releaseUser } from './users/hold-user.ts';
import { invite } from './users/invite.ts';
import { listUsers } from './users/list-users.ts';
import { resetPassword } from './users/reset-password.ts';
import { setAccess } from './users/set-access.ts';
import { setPlan } from './users/set-plan.ts';
import { setRole } from './users/set-role.ts';

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
 * `npm run admin -- <command>` in a checkout. An error is printed as a sentence, with `--json` also as an object on the
 * last line of standard output. The exit code is 2 if the command line is invalid, and 1 if the command failed.
 */
export async function runAdmin(argv: readonly string[]) {
  const program = new Command(adminCommandLine())
    .description('Administers Crier, whether or not it is running. Set DATA_DIR (or DATABASE_URL) as for `npm start`.')
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
  // Commander has already printed its own errors and the help.
  if (error instanceof CommanderError && error.exitCode === 0) return;
  if (!(error instanceof CommanderError)) console.error(printable(errorMessage(error)));
  if (asJson) {
    const options = `For the options and an example: ${adminCommandLine(command)} --help`;
    const { code, message, hint = options } = describeError(error);
    console.log(JSON.stringify({ ok: false, error: { code, message, hint } }));
  }
  process.exitCode = isWrongUse ? 2 : 1;
}
