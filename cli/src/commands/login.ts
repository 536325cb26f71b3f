import { text as readAll } from 'node:stream/consumers';
import { signInWithBrowser } from '../browser-sign-in.ts';
import { removeLogin, storeLogin } from '../config.ts';
import { type AddCommand, type Context, crierFor } from '../context.ts';
import { wrongUse } from '../failures.ts';

export const addLogin: AddCommand = (program, act) => {
  program
    .command('login')
    .description('sign in, with a browser or with an API key')
    .option('-k, --key <key>', 'an API key, sk_…; - reads it from standard input')
    .addHelpText('after', examples)
    .action(
      act(async (context: Context, { key }: { key?: string }) => {
        const { out, environment, show, access } = context;
        const { url } = await access();
        const apiKey = key === undefined ? await signInWithBrowser(url, out) : await readKey(key);
        const { plan, actorUserId: userId } = (await crierFor(url, apiKey).getAccountContext()).context;
        const file = await storeLogin(environment, { url, apiKey });
        show({ url, userId, plan: plan.key, file }, [
          `${out.paint.green('✓')} Signed in to ${url}, plan ${plan.name}.`,
          `The key is stored in ${file}. Only you can read it.`,
        ]);
      }),
    );
  program
    .command('logout')
    .description('remove the key from this machine')
    .addHelpText('after', '\nExamples:\n  crier logout')
    .action(
      act(async ({ environment, show }: Context) => {
        await removeLogin(environment);
        show({ signedOut: true }, ['Signed out. The key itself is still valid: revoke it in the dashboard.']);
      }),
    );
};

const examples = `
Without --key, a page of the service opens where you sign in and approve. This creates an API key with the
name of this machine, which you can revoke in the dashboard.

Examples:
  crier login --url https://crier.example.com
  crier login --key sk_…
  pass show crier | crier login --key -`;

/** Other users of the machine can see a key on the command line, so it may also come through a pipe. */
async function readKey(given: string): Promise<string> {
  const key = (given === '-' ? await readAll(process.stdin) : given).trim();
  if (!/^sk_\S+$/.test(key))
    throw wrongUse('This is not an API key.', 'Keys begin with sk_. Create one in the dashboard.');
  return key;
}
