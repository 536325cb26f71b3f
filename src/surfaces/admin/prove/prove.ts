import { Argument } from 'commander';
import type { Core } from '../../../app.ts';
import { type KnownConnection, whoIs } from '../../../features/auth/access/api-key.ts';
import { connectSandboxAccount } from '../../../features/connections/connect/sandbox.ts';
import { adminCommandLine } from '../../../foundation/system/admin-command-line.ts';
import { type PlatformId, platformIds } from '../../../platforms/index.ts';
import { adminCommand, type Common } from '../command.ts';
import { AdminError, UsageError } from '../error-message.ts';
import { printable, printResult } from '../print-result.ts';
import { requireUser } from '../users/require-user.ts';
import { withPlatforms } from '../with-core.ts';
import { differences } from './compare.ts';
import { runProof } from './run-proof.ts';
import { readTranscript, type Transcript, type Verdict, writeTranscript } from './transcript.ts';

interface Options extends Common {
  user?: string;
  connection?: string;
  transcript?: string;
  replay?: string;
  compare?: string;
}

/** The command wraps the lines. */
const about = [
  'Publishes test posts, marked as such, and private or unlisted if the network allows it: a text, a ' +
    'picture, a video, a thread, a post with a comment, and one more whose response is lost on purpose, to check that the ' +
    'post is found and not sent twice. What the account or the network does not offer is skipped. Posts waiting on the ' +
    'same account are published after the proof. Crier must be running, because some networks fetch media from it.',
  'Then it deletes the test posts. If the network cannot delete a post, or the account did not grant the ' +
    'permission, the post remains, and its line shows why and where it is. If you stop the command, all posts remain.',
  'The transcript contains every request and response, without secrets. --compare sandbox runs the same proof against the ' +
    'sandbox, with a separate account and database, and shows where the sandbox differs from the network. --replay ' +
    'does this with the transcript of an earlier proof and posts nothing.',
];

const marks: Record<Verdict['outcome'], string> = { proven: '✓', failed: '✗', 'not offered': '–' };
const nameWidth = 22;

export const prove = () =>
  adminCommand('prove', {
    about: 'Test everything that Crier does with a network on a real connection, and report what works.',
    more: about.join('\n\n'),
    example: `${platformIds[0]} --user ada@example.com --transcript live.json --compare sandbox
  ${adminCommandLine('prove')} ${platformIds[0]} --replay live.json --compare sandbox`,
  })
    .addArgument(new Argument('<network>', 'the network').choices(platformIds))
    .option('--user <id or email>', 'the user who owns the account')
    .option('--connection <platformId>', 'the connection, if the user has several on this network')
    .option('--transcript <file>', 'where to write the transcript')
    .option('--replay <file>', 'the transcript of an earlier proof, to compare instead of a new proof')
    .option('--compare <sandbox or file>', 'show what differs from the sandbox, or from another transcript')
    .action(async (network: PlatformId, options: Options) => {
      const say = (line: string) => options.json || console.log(printable(line));
      const { replay, compare } = options;
      // Read it first, so that a wrong file name is reported before anything is posted.
      const other = compare === undefined || compare === sandbox ? null : await transcriptOf(network, compare);
      const transcript =
        replay === undefined ? await newProof(network, options, say) : await replayed(network, options);
      if (compare === sandbox) say('Running the same proof in the sandbox. This takes a minute or two …');
      const compared = compare === sandbox ? await inSandbox(network) : other;
      const { verdicts } = transcript;
      const differing = compared ? differences(transcript, compared) : [];
      printResult(options, { network, verdicts, differences: differing }, summary(verdicts, differing, options));
      const hasFailed = verdicts.some(({ outcome }) => outcome === 'failed');
      if (hasFailed && replay === undefined) process.exitCode = 1;
    });

/** Replaces a file name. */
const sandbox = 'sandbox';

/** Loaded on demand, because it needs many modules that other commands do not. */
const inSandbox = async (network: PlatformId) => (await import('./in-sandbox.ts')).proveInSandbox(network);

async function newProof(network: PlatformId, options: Options, say: (line: string) => void): Promise<Transcript> {
  const { user, connection, transcript: file } = options;
  if (user === undefined) throw new UsageError('Name the user with --user, or a transcript with --replay.');
  return withPlatforms(async (core) => {
    const { id: userId } = await requireUser(core, user);
    const { id: connectionId, handle } = await connectionFor(core, userId, network, connection);
    say(`${network}, as ${handle}:`);
    const onVerdict = ({ check, outcome, detail }: Verdict) =>
      say(`  ${marks[outcome]} ${check.padEnd(nameWidth)} ${detail}`);
    const transcript = await runProof(core, { userId, connectionId, onVerdict });
    if (file !== undefined) await writeTranscript(file, transcript);
    return transcript;
  });
}

async function replayed(network: PlatformId, { replay = '', compare }: Options): Promise<Transcript> {
  if (compare === undefined)
    throw new UsageError('Use --compare to choose what to compare the transcript with: sandbox, or a file.');
  return transcriptOf(network, replay);
}

async function transcriptOf(network: PlatformId, file: string): Promise<Transcript> {
  const transcript = await readTranscript(file);
  if (transcript.network !== network)
    throw new AdminError(`${file} is the transcript of a proof of ${transcript.network}, not of ${network}.`);
  return transcript;
}

function summary(verdicts: readonly Verdict[], differing: readonly string[], options: Options): string[] {
  const { transcript, replay, compare } = options;
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed').length;
  const result =
    failed === 0 ? 'Everything the network offers works.' : `${failed} of ${verdicts.length} checks failed.`;
  return [
    ...(replay === undefined ? [result] : []),
    ...(transcript === undefined ? [] : [`Transcript: ${transcript}`]),
    ...(compare === undefined ? [] : differing.length === 0 ? ['Nothing differs.'] : ['What differs:', ...differing]),
  ];
}

/** In the sandbox, a new account is created if the user has none. */
async function connectionFor(core: Core, userId: string, network: PlatformId, wanted?: string) {
  const found = await connectionsOn(core, userId, network);
  const named = found.filter(({ accountId }) => wanted === undefined || `${network}-${accountId}` === wanted);
  if (named.length === 1) return named[0]!;
  if (named.length > 1) throw new AdminError(`Choose one with --connection: ${idsOf(named)}.`);
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
