import { execFile } from 'node:child_process';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../support/database/temporary-server.ts';
import { certificateFor } from '../../support/servers/certificate.ts';
import { type ParsedMail, parseMail } from '../../support/servers/parse-mail.ts';
import { debianPackages, libraryFolder, versionIn } from './debian.ts';
import { freePort, type RealServer, type ServerProcess, startProcess, untilReady } from './server.ts';

export interface Exim extends RealServer {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** The mails it has accepted and stored, with its log lines for each. */
  mails(): Promise<(ParsedMail & { accepted: string })[]>;
}

const run = promisify(execFile);
const nobody = { uid: 65534, gid: 65534 };
const [user, password] = ['crier', 'kept@secret/by:the#test'];

/**
 * Exim, one of the most widely used mail servers. It accepts mail from clients that sign in over TLS, and stores it.
 */
export async function startExim(): Promise<Exim> {
  const folder = await temporaryFolder();
  const servers: ServerProcess[] = [];
  const close = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await folder.remove();
  };
  try {
    const debian = join(folder.path, 'debian');
    const unpacked = await debianPackages(['exim4-daemon-light', 'libnss-wrapper'], debian);
    const home = join(folder.path, 'exim');
    for (const name of ['spool', 'log']) await mkdir(join(home, name), { recursive: true });
    const { key, cert } = certificateFor('mail.test');
    const port = await freePort();
    // It refuses to run as root.
    const { uid, gid } = userInfo().uid === 0 ? nobody : userInfo();
    const files = {
      'key.pem': key,
      'cert.pem': cert,
      'exim.conf': configuration(home),
      // It requires its own user, which this machine does not have.
      passwd: `root:x:0:0::/root:/bin/sh\nDebian-exim:x:${uid}:${gid}::${home}:/bin/sh\n`,
      group: `root:x:0:\nDebian-exim:x:${gid}:\n`,
    };
    for (const [name, content] of Object.entries(files)) await writeFile(join(home, name), content);
    for (const name of ['', 'spool', 'log', 'key.pem']) await chown(join(home, name), uid, gid);
    const libraries = await libraryFolder(unpacked);
    const env = {
      PATH: '/usr/sbin:/usr/bin:/bin',
      LD_LIBRARY_PATH: libraries,
      LD_PRELOAD: join(libraries, 'libnss_wrapper.so'),
      NSS_WRAPPER_PASSWD: join(home, 'passwd'),
      NSS_WRAPPER_GROUP: join(home, 'group'),
    };
    const program = join(unpacked, 'usr/sbin/exim4');
    const exim = async (...args: string[]) =>
      (await run(program, ['-C', join(home, 'exim.conf'), ...args], { env })).stdout;
    const server = startProcess(program, ['-C', join(home, 'exim.conf'), '-bdf', '-oX', `127.0.0.1.${port}`], { env });
    servers.push(server);
    await untilReady(() => isListening(port), server);
    return {
      name: `Exim ${await versionIn(debian, 'exim4-daemon-light')}`,
      port,
      user,
      password,
      async mails() {
        const ids = [...(await exim('-bp')).matchAll(/\s(\w{6}-\w{6,11}-\w{2,4})\s/g)].map(([, id = '']) => id);
        const read = async (id: string) => ({
          ...parseMail((await exim('-Mvc', id)).replaceAll(/\r?\n/g, '\r\n')),
          accepted: await exim('-Mvl', id),
        });
        return Promise.all(ids.map(read));
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const isListening = (port: number) =>
  new Promise<true | null>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(null));
  });

const configuration = (home: string) => `primary_hostname = mail.test
spool_directory = ${home}/spool
log_file_path = ${home}/log/%slog
log_selector = +tls_cipher
keep_environment =
queue_only = true
tls_advertise_hosts = *
tls_certificate = ${home}/cert.pem
tls_privatekey = ${home}/key.pem
acl_smtp_rcpt = recipient
begin acl
recipient:
  deny message = There is no such person here
       local_parts = nobody
  defer message = Come back later
       local_parts = later
  accept authenticated = *
  deny message = Sign in first
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_set_id = $auth2
  server_prompts = :
  server_condition = \${if and{{eq{$auth2}{${user}}}{eq{$auth3}{${password}}}}}
  server_advertise_condition = \${if def:tls_in_cipher}
`;
