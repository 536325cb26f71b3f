import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DataFolder, dataFolder, runProgram } from './support/processes/crier.ts';
import { type TestService, testService } from './support/service/service.ts';

/** The output of a failed `npm run admin -- <command> --json`: README.md promises code, message and hint. */

let service: TestService;
let folder: DataFolder;
beforeAll(async () => {
  [service, folder] = await Promise.all([testService(), dataFolder()]);
});
afterAll(async () => {
  await service.close();
  await folder.remove();
});

/** The minimum arguments of each command. */
const commands: Record<string, string[]> = {
  'list-users': [],
  'create-user': ['--email', 'ada@example.com', '--password', 'copper lantern drifting north'],
  invite: ['--email', 'ada@example.com'],
  'reset-password': ['--user', 'nobody'],
  'disable-two-factor': ['--user', 'nobody'],
  'set-plan': ['--user', 'nobody', '--plan', 'pro'],
  'set-access': ['--user', 'nobody', '--api', 'on'],
  'set-role': ['--user', 'nobody', '--role', 'admin'],
  'hold-user': ['--user', 'nobody', '--reason', 'Unpaid'],
  'release-user': ['--user', 'nobody'],
  'deactivate-user': ['--user', 'nobody'],
  'activate-user': ['--user', 'nobody'],
  'delete-user': ['--user', 'nobody', '--yes'],
  'list-keys': ['--user', 'nobody'],
  'create-key': ['--user', 'nobody'],
  'revoke-key': ['--key', 'sk_none'],
  'enable-workspace': ['--user', 'nobody'],
  'connect-sandbox': ['--user', 'nobody', '--networks', 'mastodon'],
  prove: ['mastodon', '--user', 'nobody'],
  'rotate-secret-key': [],
  export: ['--user', 'nobody'],
  backup: ['--to', '/tmp/never-made'],
  restore: ['--from', '/nowhere'],
  migrate: [],
  doctor: [],
};

async function failureOf(command: string, args: string[], environment: Record<string, string> = {}) {
  const settings = { DATA_DIR: folder.dataDir, DATABASE_URL: service.database.url, ...environment };
  const ended = await runProgram(['src/admin.ts', command, ...args, '--json'], settings);
  const printed = JSON.parse(ended.stdout.trim().split('\n').at(-1) || 'null');
  return { exitCode: ended.code, printed, stderr: ended.stderr };
}

const failure = (code: string) => ({
  ok: false,
  error: { code, message: expect.stringMatching(/^.*\S/), hint: expect.stringMatching(/\S/) },
});

test('the commands below are all that there are', async () => {
  const { stdout } = await runProgram(['src/admin.ts', '--help'], {});
  const [, listed = ''] = /\nCommands:\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
  const names = [...listed.matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => name!);
  expect(names.filter((name) => name !== 'help').sort()).toEqual(Object.keys(commands).sort());
});

test.each(Object.entries(commands))(
  '%s: a wrong option, a wrong setting and an unknown user have code and hint',
  async (name, args) => {
    // doctor reports invalid settings without failing; restore reads the backup first.
    const ofSettings = { doctor: null, restore: 'COMMAND_FAILED' }[name];
    const [wrong, misconfigured, unknown] = await Promise.all([
      failureOf(name, [...args, '--odd']),
      ofSettings === null ? null : failureOf(name, args, { PORT: 'nonsense' }),
      args.includes('nobody') ? failureOf(name, args) : null,
    ]);
    expect([wrong.exitCode, wrong.printed]).toEqual([2, failure('WRONG_USE')]);
    if (misconfigured) {
      const code = ofSettings ?? 'CONFIGURATION_INVALID';
      expect([misconfigured.exitCode, misconfigured.printed]).toEqual([1, failure(code)]);
    }
    if (unknown) {
      const { exitCode, printed, stderr } = unknown;
      expect([exitCode, printed]).toEqual([1, failure('USER_NOT_FOUND')]);
      // People read both in one line.
      expect(stderr).toContain(`${printed.error.message} ${printed.error.hint}`);
    }
  },
);

test('an unknown command is answered with the one that was meant', async () => {
  const { exitCode, printed } = await failureOf('create-usr', []);
  expect([exitCode, printed.error]).toEqual([
    2,
    { code: 'WRONG_USE', message: "unknown command 'create-usr'.", hint: 'Did you mean create-user?' },
  ]);
});

test('an unreachable database and a name in quotes keep the parts of the message together', async () => {
  const { printed } = await failureOf('list-users', [], { DATABASE_URL: 'postgres://127.0.0.1:9/none' });
  expect(printed).toEqual(failure('CANNOT_START'));
  const odd = await failureOf('list-keys', ['--user', 'a. B. c']);
  expect(odd.printed.error.message).toBe('User "a. B. c" not found.');
});
