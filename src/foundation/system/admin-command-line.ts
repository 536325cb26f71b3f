/** What an operator of this installation types. The package and the image use a different command than a checkout. */
const program = process.env.CRIER_ADMIN ?? 'npm run admin --';

export const isCalledInCheckout = process.env.CRIER_ADMIN === undefined;

/** The command line of an admin command, for texts that mention one. Without a command: just the prefix. */
export const adminCommandLine = (command = '') => `${program} ${command}`.trimEnd();
