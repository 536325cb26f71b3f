import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { temporaryFolder } from '../../support/database/temporary-server.ts';
import { debianPackages } from './debian.ts';
import { type Front, openFront } from './front.ts';
import { CannotRun, freePort, type RealServer, startProcess, untilAnswers } from './server.ts';

export interface Snac extends RealServer {
  readonly host: string;
  readonly front: Front;
  /** A new account. */
  addUser(name: string): Promise<SnacUser>;
  /** Every note that the server has stored, of any account. */
  notes(): Promise<Note[]>;
  /** The content of one of its own URLs. */
  file(url: string): Promise<Uint8Array>;
  /** Revokes all tokens, as if every user had signed out everywhere. */
  forgetTokens(): Promise<void>;
  /** Suspends its process at any point. */
  freeze(): void;
  thaw(): void;
}

export interface SnacUser {
  name: string;
  password: string;
}

export interface Note {
  id: string;
  text: string;
  inReplyTo: string | null;
  files: { url: string; description: string }[];
}

/** snac, a small server for the API of Mastodon, in C, from Debian. It ignores idempotency keys. */
export async function startSnac(host = 'snac.test'): Promise<Snac> {
  const folder = await temporaryFolder();
  try {
    const unpacked = await debianPackages(['snac2'], join(folder.path, 'debian'), ['', '-backports']);
    const program = join(unpacked, 'usr/bin/snac');
    const home = join(folder.path, 'snac');
    const port = await freePort();
    await run(program, ['init', home], ['127.0.0.1', String(port), host, '', '', '']);
    const server = startProcess(program, ['httpd', home]);
    const origin = `http://127.0.0.1:${port}`;
    const about = JSON.parse(await (await untilAnswers(`${origin}/api/v1/instance`, server)).text());
    const front = await openFront({ [host]: origin });
    return {
      name: String(about.version).replace(/^.*really (\S+?)\/(\S+?)\)?$/, '$1 $2'),
      host,
      front,
      async addUser(name) {
        const said = await run(program, ['adduser', home, name], []);
        const [, password = ''] = /password is (\S+)/i.exec(said) ?? [];
        return { name, password };
      },
      notes: () => notesIn(join(home, 'object')),
      async file(url) {
        const answer = await fetch(new URL(new URL(url).pathname, origin));
        return answer.bytes();
      },
      forgetTokens: () => rm(join(home, 'token'), { recursive: true }),
      freeze: () => process.kill(-server.pid, 'SIGSTOP'),
      thaw: () => process.kill(-server.pid, 'SIGCONT'),
      async [Symbol.asyncDispose]() {
        await front[Symbol.asyncDispose]();
        await server.stop();
        await folder.remove();
      },
    };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

async function run(program: string, args: readonly string[], answers: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(answers.map((line) => `${line}\n`).join(''));
  const [said, complained, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new CannotRun(`snac ${args[0]} ended with ${code}: ${said}${complained}`);
  return said + complained;
}

/** Read from its files, not from its API. */
async function notesIn(objects: string): Promise<Note[]> {
  const names = (await readdir(objects, { recursive: true })).filter((name) => name.endsWith('.json'));
  const stored = await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(objects, name), 'utf8'))));
  return stored
    .filter(({ type }) => type === 'Note')
    .map(({ id, sourceContent, inReplyTo, attachment }) => ({
      id,
      text: sourceContent,
      inReplyTo: inReplyTo || null,
      files: [attachment ?? []].flat().map(({ url, name }: { url: string; name?: string }) => ({
        url,
        description: name ?? '',
      })),
    }));
}
