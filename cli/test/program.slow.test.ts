import { spawn } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approve } from '../../test/support/browser/approve.ts';
import { anImage } from '../../test/support/files/media.ts';
import { serve } from '../../test/support/servers/local.ts';
import { signedIn } from '../../test/support/service/media-service.ts';
import { type CliStage, cliStage, command } from './stage.ts';

let stage: CliStage;

beforeAll(async () => {
  stage = await cliStage();
  await stage.ada.aConnection();
});
afterAll(() => stage?.close());

const loginFile = () => `${stage.folder}/config/crier/config.json`;

describe('login', () => {
  test('stores a key that works, readable by its owner alone, and logout forgets it', async () => {
    const { code, json, stderr } = await stage.run(['login', '--key', '-', '--json'], {
      user: null,
      input: `${stage.ada.apiKey}\n`,
    });
    expect([code, stderr, json.data]).toEqual([0, '', expect.objectContaining({ url: stage.service.url })]);
    expect((await stat(loginFile())).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(loginFile(), 'utf8'))).toEqual({
      url: stage.service.url,
      apiKey: stage.ada.apiKey,
    });
    expect((await stage.run(['connections'], { user: null })).code).toBe(0);
    expect((await stage.run(['connections'], { user: null, environment: { CRIER_URL: '' } })).code).toBe(0);
    await stage.run(['logout']);
    expect((await stage.run(['connections'], { user: null })).code).toBe(3);
  });

  test('a key that does not work is not stored', async () => {
    const { code, json } = await stage.run(['login', '--key', `sk_${'0'.repeat(40)}`, '--json'], { user: null });
    expect([code, json.ok]).toEqual([3, false]);
    await expect(stat(loginFile())).rejects.toThrow();
    expect((await stage.run(['login', '--key', 'password'], { user: null })).code).toBe(2);
  });

  test('a stored key is not sent to another service', async () => {
    await stage.run(['login', '--key', stage.ada.apiKey], { user: null });
    const seen: unknown[] = [];
    await using other = await serve((request, response) => {
      seen.push(request.headers['x-service-key']);
      response.end('{}');
    });
    const { code } = await stage.run(['connections'], { user: null, environment: { CRIER_URL: other.url } });
    expect([code, seen]).toEqual([3, []]);
    await stage.run(['logout']);
  });

  test('with a browser: the approved page leads to a key that works', async () => {
    const child = spawn(process.execPath, [command, 'login'], { env: stage.environment(null), cwd: stage.folder });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const page = await new Promise<URL>((resolve) => {
      let shown = '';
      child.stderr.on('data', (chunk) => {
        shown += chunk;
        const address = /(http\S+)\n/.exec(shown);
        if (address) resolve(new URL(address[1]!));
      });
    });
    const headers = await signedIn(stage.service, stage.ada);
    const stranger = new URL('?state=guessed&code=stolen', page.searchParams.get('redirect_uri')!);
    expect((await fetch(stranger)).status).toBe(404);
    await fetch(await approve(page, { headers, untick: ['scope_workspace'] }));
    expect(await text(child.stdout)).toContain('Signed in');
    expect(await ended).toBe(0);
    expect((await stage.run(['connections'], { user: null })).code).toBe(0);
    const listed = await fetch(`${stage.service.url}/api/v1/auth/api-keys`, { headers });
    const { apiKeys } = (await listed.json()) as { apiKeys: { name: string }[] };
    expect(apiKeys.at(-1)).toMatchObject({
      name: expect.stringMatching(/^Command line on \S/),
      application: expect.stringMatching(/^Command line on /),
      scopes: ['read', 'write', 'media', 'webhooks'],
    });
    await stage.run(['logout']);
  });
});

describe('exit codes and errors', () => {
  test('wrong use is 2, with JSON where JSON is wanted', async () => {
    for (const args of [['pst'], ['post'], ['show'], ['list', '--odd'], ['post', 'a', 'b', '--to', 'all']]) {
      const people = await stage.run(args);
      expect([people.code, people.stdout]).toEqual([2, '']);
      expect(people.stderr).toMatch(/^Error: /);
      const { code, json } = await stage.run([...args, '--json']);
      expect(code).toBe(2);
      expect(json).toEqual({
        ok: false,
        command: args[0] === 'pst' ? '' : args[0],
        error: { code: 'WRONG_USE', message: expect.any(String), hint: json.error.hint },
      });
    }
  });

  test('no key and a wrong key are 3', async () => {
    const none = await stage.run(['list', '--json'], { user: null });
    expect([none.code, none.json.error]).toEqual([
      3,
      { code: 'NOT_SIGNED_IN', message: expect.any(String), hint: expect.stringContaining('crier login') },
    ]);
    const wrong = await stage.run(['list'], { user: { ...stage.ada, apiKey: `sk_${'0'.repeat(40)}` } });
    expect(wrong.code).toBe(3);
  });

  test('a service that is not there is 5, and the error says what to do', async () => {
    const server = createServer().listen(0);
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const { code, stderr } = await stage.run(['list'], { environment: { CRIER_URL: `http://127.0.0.1:${port}` } });
    expect(code).toBe(5);
    expect(stderr).toContain('CRIER_URL');
    expect(stderr).not.toContain('    at ');
  });

  /** Reads the names from the help. */
  async function commandNames() {
    const { stdout } = await stage.run(['--help']);
    const [, listed = ''] = /\nCommands:\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
    const names = [...listed.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(8);
    return names.filter((name) => name !== 'help');
  }

  test('every command has help with an example and the options of all commands, and crier help shows it too', async () => {
    for (const name of [...(await commandNames()), 'webhooks listen']) {
      const { code, stdout } = await stage.run([...name.split(' '), '--help']);
      expect([name, code, stdout]).toEqual([name, 0, expect.stringContaining('Examples:')]);
      for (const option of ['--json', '--url <address>', '--user <id>']) {
        expect([name, stdout]).toEqual([name, expect.stringContaining(option)]);
      }
      if (!name.includes(' ')) expect(await stage.run(['help', name])).toMatchObject({ code: 0, stdout, stderr: '' });
    }
  });

  test('the help of import names every column', async () => {
    const { stdout } = await stage.run(['import', '--help']);
    const docs = await readFile(new URL('../../docs/cli.md', import.meta.url), 'utf8');
    const [, columns = ''] = /The columns are `(.*?)`/.exec(docs) ?? [];
    expect(columns.split(',')).toContain('alt');
    expect(stdout).toContain(`Columns: ${columns}.`);
  });

  test.each([
    [['pots'], 'post'],
    [['conections', '--json'], 'connections'],
    [['webhooks', 'lisen'], 'listen'],
    [['list', '--stats', 'draft'], '--status'],
  ])('%j is answered with what was meant', async (args, meant) => {
    const people = await stage.run(args.filter((word) => word !== '--json'));
    expect([people.code, people.stderr]).toEqual([2, expect.stringMatching(`^Error: .*\nDid you mean ${meant}\\?\n$`)]);
    const { code, json } = await stage.run([...args, '--json']);
    expect([code, json.error]).toMatchObject([2, { code: 'WRONG_USE', hint: `Did you mean ${meant}?` }]);
  });

  test('without a command people see the help, and programs get an error', async () => {
    const { stdout } = await stage.run(['--help']);
    expect(await stage.run([])).toMatchObject({ code: 0, stdout });
    expect(await stage.run(['help'])).toMatchObject({ code: 0, stdout });
    expect((await stage.run(['--json'])).json.error).toMatchObject({
      message: 'Name a command.',
      hint: 'See: crier --help',
    });
    const webhooks = await stage.run(['webhooks']);
    expect([webhooks.code, webhooks.stderr]).toEqual([2, expect.stringContaining('Error: Name a command.')]);
    expect(webhooks.stderr).toContain('crier webhooks listen');
    const unknown = await stage.run(['help', 'pots']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Unknown command "pots".')]);
  });
});

describe('in a terminal', () => {
  /** `script` gives the command a terminal. */
  async function inTerminal(args: string) {
    const env = { ...stage.environment(), TERM: 'xterm', SHELL: '/bin/sh' };
    const child = spawn('script', ['-qec', `${process.execPath} ${command} ${args}`, '/dev/null'], {
      env,
      cwd: stage.folder,
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return { stdout: await text(child.stdout), code: await ended };
  }

  test('there are colours and a bar; in a pipe, with NO_COLOR or with --json there are none', async () => {
    await writeFile(`${stage.folder}/photo.png`, (await anImage()).bytes);
    const shown = await inTerminal('post Look --to all --media photo.png --draft');
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('photo.png ██')]);
    expect(shown.stdout).toContain('100%');
    expect(shown.stdout).toContain('\u001b[32m✓\u001b[0m');
    const json = await inTerminal('post Look --to all --media photo.png --draft --json');
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: true });
    const piped = await stage.run(['post', 'Look', '--to', 'all', '--media', 'photo.png', '--draft']);
    expect([piped.stderr, piped.stdout]).toEqual(['', expect.stringMatching(/^✓ Stored as a draft/)]);
    expect((await inTerminal('connections --url $CRIER_URL; echo $?')).stdout).toContain('\u001b[');
  });
});
