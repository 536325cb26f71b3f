/** What an operator of this installation types. The package and the image have other words for it than a checkout. */
const program = process.env.CRIER_ADMIN ?? 'npm run admin --';

export const isCalledInCheckout = process.env.CRIER_ADMIN === undefined;

/** How an admin command is called here, for texts that name one. Without a command: what stands before it. */
export const adminCommandLine = (command = '') => `${program} ${command}`.trimEnd();
