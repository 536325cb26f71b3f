import { Command } from 'commander';
import { connectSandbox } from './connect-sandbox.ts';
import { createKey } from './create-key.ts';
import { createUser } from './create-user.ts';
import { activateUser, deactivateUser } from './deactivate-user.ts';
import { enableWorkspace } from './enable-workspace.ts';
import { errorMessage } from './error-message.ts';
import { exportCommand } from './export.ts';
import { holdUser, releaseUser } from './hold-user.ts';
import { invite } from './invite.ts';
import { resetPassword } from './reset-password.ts';
import { rotateSecretKey } from './rotate-secret-key.ts';
import { setAccess } from './set-access.ts';
import { setPlan } from './set-plan.ts';
import { setRole } from './set-role.ts';

const commands = [
  createUser,
  invite,
  resetPassword,
  setPlan,
  setAccess,
  setRole,
  holdUser,
  releaseUser,
  deactivateUser,
  activateUser,
  createKey,
  enableWorkspace,
  connectSandbox,
  rotateSecretKey,
  exportCommand,
];

/** `npm run admin -- <command>`. An error is printed as a sentence, and the exit code is 1. */
export async function runAdmin(argv: readonly string[]) {
  const program = new Command('npm run admin --')
    .description(
      'Administers a Crier, whether or not it is running. Set DATA_DIR (or DATABASE_URL) as for `npm start`.',
    )
    .addHelpText('after', '\n<command> --help shows the options and an example.');
  for (const command of commands) program.addCommand(command());
  if (argv.length <= 2) return program.outputHelp();
  try {
    await program.parseAsync(argv);
  } catch (error) {
    console.error(errorMessage(error));
    process.exitCode = 1;
  }
}
