import { type Crier, CrierError, fetchWithinOrigin } from '@crier/client';
import { type AddCommand, type Context, crierFor } from '../context.ts';
import { CommandError, commandErrorOf } from '../failures.ts';
import type { Output } from '../output.ts';

interface Check {
  name: string;
  ok: boolean;
  message: string;
}

/** Beyond this skew, webhook signatures and scheduled times go wrong. */
const clockLimitMs = 60_000;

export const addDoctor: AddCommand = (program, act) => {
  program
    .command('doctor')
    .description('check the service, your key, the clock and each account')
    .addHelpText('after', '\nExamples:\n  crier doctor\n  crier doctor --json')
    .action(
      act(async ({ access, show, out }: Context) => {
        const { url, apiKey } = await access();
        const checks: Check[] = [];
        const add = (name: string, ok: boolean, message: string) => checks.push({ name, ok, message });
        const failed = (exit: CommandError['exit'], hint: string) =>
          new CommandError(exit, checks.findLast(({ ok }) => !ok)!.message, {
            code: 'UNHEALTHY',
            hint,
            data: { url, checks },
            lines: checks.map(({ ok, name, message }) => `${ok ? '✓' : '✗'} ${name}: ${message}`),
          });

        const ready = await readReady(url);
        const isReached = !('problem' in ready);
        add('service', isReached, isReached ? `${url} answers.` : ready.problem);
        if (!isReached)
          throw failed('notReached', 'Is it running? Set the address with CRIER_URL or crier login --url');
        add('ready', ready.ok, ready.ok ? 'It accepts posts.' : 'It is not ready: see /readyz.');
        const skewMs = ready.skewMs;
        const seconds = Math.round(Math.abs(skewMs) / 1000);
        const isRight = Math.abs(skewMs) < clockLimitMs;
        add('clock', isRight, isRight ? 'correct' : `Your clock is ${seconds} s ${skewMs > 0 ? 'ahead' : 'behind'}.`);
        if (!apiKey) {
          add('key', false, 'You are not signed in.');
          throw failed('notSignedIn', 'Sign in with: crier login');
        }
        const crier = crierFor(url, apiKey);
        try {
          const { plan } = (await crier.getAccountContext()).context;
          add('key', true, `Valid, plan ${plan.name}.`);
        } catch (error) {
          const { exit, message, hint } = commandErrorOf(error);
          add('key', false, message);
          throw failed(exit, hint ?? 'Sign in with: crier login');
        }
        checks.push(...(await testAccounts(crier, out)));
        if (checks.some(({ ok }) => !ok))
          throw failed('failed', 'Connect the failing accounts again in the dashboard.');
        show(
          { url, checks },
          checks.map(({ name, message }) => `${out.paint.green('✓')} ${name}: ${message}`),
        );
      }),
    );
};

/** The service's clock comes from its response, to the second. */
async function readReady(url: string): Promise<{ ok: boolean; skewMs: number } | { problem: string }> {
  try {
    const response = await fetchWithinOrigin(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) });
    const theirs = Date.parse(response.headers.get('date') ?? '');
    return { ok: response.ok, skewMs: Number.isNaN(theirs) ? 0 : Date.now() - theirs };
  } catch (error) {
    return { problem: error instanceof CrierError ? error.message : `${url} cannot be reached.` };
  }
}

/** Asks each network which account the credentials belong to. */
async function testAccounts(crier: Crier, out: Output): Promise<Check[]> {
  const { connections } = await crier.listConnections();
  if (connections.length === 0) return [{ name: 'accounts', ok: true, message: 'You have not connected any yet.' }];
  const checks: Check[] = [];
  const bar = out.progress('Testing accounts', connections.length);
  for (const { platformId, username } of connections) {
    const name = `${platformId} ${username ?? ''}`.trim();
    try {
      const { status, message } = await crier.testConnection({ platformId });
      checks.push({ name, ok: status === 'ok', message });
    } catch (error) {
      checks.push({ name, ok: false, message: commandErrorOf(error).message });
    }
    bar.update(checks.length);
  }
  bar.end();
  return checks;
}
