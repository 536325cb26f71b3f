import { Argument } from 'commander';
import type { Core } from '../app.ts';
import { connectSandboxAccount } from '../connections/sandbox.ts';
import { type KnownConnection, whoIs } from '../http/auth.ts';
import { type PlatformId, platformIds } from '../platforms/index.ts';
import { adminCommand, type Common, userOption } from './command.ts';
import { AdminError } from './error-message.ts';
import { printResult } from './print-result.ts';
import { differences } from './prove/compare.ts';
import { prove as runProof } from './prove/proof.ts';
import { readTranscript, type Verdict, writeTranscript } from './prove/transcript.ts';
import { requireUser } from './require-user.ts';
import { withPlatforms } from './with-core.ts';

interface Options extends Common {
  user: string;
  connection?: string;
  transcript?: string;
  compare?: string;
}

const marks: Record<Verdict['outcome'], string> = { proven: '✓', failed: '✗', 'not offered': '–' };

export const prove = () =>
  adminCommand('prove', {
    about: 'Try everything that Crier does with a network, with a real connection, and say what held.',
    more: `Publishes harmless posts of every kind that the account allows, reads statistics, and loses an answer on purpose to see
that the post is found and not sent twice. Crier must be running, because some networks fetch media from it. The posts stay:
delete them on the network afterwards. The transcript holds every request and answer, without secrets.`,
    example: `${platformIds[0]} --user ada@example.com --transcript proof.json`,
  })
    .addArgument(new Argument('<network>', 'the network').choices(platformIds))
    .addOption(userOption())
    .option('--connection <platformId>', 'the connection, if the user has several on this network')
    .option('--transcript <file>', 'where to write the transcript')
    .option('--compare <file>', 'a transcript of another run, for example against the sandbox: shows what differs')
    .action((network: PlatformId, options: Options) =>
      withPlatforms(async (core) => {
        const other = options.compare === undefined ? null : await readTranscript(options.compare);
        const { id: userId } = await requireUser(core, options.user);
        const { id: connectionId, handle } = await connectionFor(core, userId, network, options.connection);
        const say = (line: string) => options.json || console.log(line);
        say(`${network}, as ${handle}:`);
        const transcript = await runProof(core, {
          userId,
          connectionId,
          onVerdict: ({ check, outcome, detail }) => say(`  ${marks[outcome]} ${check.padEnd(12)} ${detail}`),
        });
        if (options.transcript !== undefined) await writeTranscript(options.transcript, transcript);
        const differing = other ? differences(other, transcript) : [];
        const { verdicts } = transcript;
        printResult(options, { network, verdicts, differences: differing }, summary(verdicts, differing, options));
        if (verdicts.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;
      }),
    );

function summary(
  verdicts: readonly Verdict[],
  differing: readonly string[],
  { transcript, compare }: Options,
): string[] {
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed').length;
  return [
    failed === 0 ? 'Everything that the network offers held.' : `${failed} of ${verdicts.length} checks failed.`,
    ...(transcript === undefined ? [] : [`Transcript: ${transcript}`]),
    ...(compare === undefined ? [] : differing.length === 0 ? ['Nothing differs.'] : ['What differs:', ...differing]),
  ];
}

/** In the sandbox a new account is made where the user has none. */
async function connectionFor(core: Core, userId: string, network: PlatformId, wanted?: string) {
  const found = await connectionsOn(core, userId, network);
  const named = found.filter(({ accountId }) => wanted === undefined || `${network}-${accountId}` === wanted);
  if (named.length === 1) return named[0]!;
  if (named.length > 1) throw new AdminError(`Name one with --connection: ${idsOf(named)}.`);
  if (wanted !== undefined) throw new AdminError(`The user has no connection ${wanted}.`);
  if (core.sandboxUrl === null)
    throw new AdminError(
      `The user has no account on ${network}. Connect one first, in the dashboard or through the API.`,
    );
  const handle = `proof${core.newId().slice(-8)}`;
  await connectSandboxAccount(core, core.sandboxUrl, userId, { platform: network, handle });
  const [made] = await connectionsOn(core, userId, network);
  return made!;
}

const connectionsOn = async (core: Core, userId: string, network: string) =>
  (await whoIs(core.db, userId)).connections.filter(({ platform }) => platform === network);

const idsOf = (connections: readonly KnownConnection[]) =>
  connections.map(({ platform, accountId }) => `${platform}-${accountId}`).join(', ');
