import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Core } from '../../../app.ts';
import { expiringConnections } from '../../../features/connections/credentials/announce-expiry.ts';
import { checkMailServer } from '../../../features/mail/smtp-mailer.ts';
import { storageKey } from '../../../foundation/storage/storage-key.ts';
import { versionWarnings } from '../../../platforms/kit/api-versions.ts';
import { type Check, fail, ok, todoOf, warn } from '../../../startup/checks.ts';
import { isDashboardBuilt } from '../../../startup/dashboard-build.ts';
import { diskSpace } from '../../health/disk-space.ts';
import { selectBrokenConnections } from '../../health/queries.ts';

/** Writes a file, reads it back and deletes it. */
export async function storage({ storage: files, clock }: Core): Promise<Check> {
  const key = storageKey('document', 'doctor.txt', clock.now(), 0);
  const todo = 'Check STORAGE_URL and its credentials, or that DATA_DIR is writable.';
  try {
    await files.write(key, Readable.from([Buffer.from(key)]), { contentType: 'text/plain' });
    const found = await text(await files.read(key));
    await files.remove([key]);
    if (found === key) return ok('media files', 'A file was written, read and deleted.');
    return fail('media files', 'The file read back differs from the file written.', todo);
  } catch (error) {
    const { message } = error as Error;
    return fail('media files', `A test file could not be written and read: ${message}`, todoOf(message, todo));
  }
}

/** Packages that npm silently skips if the installing Node is too old for them. */
export async function installation(): Promise<Check> {
  try {
    await import('sharp');
  } catch (error) {
    const reason = (error as Error).message.split('\n')[0];
    return fail('installation', `Images cannot be processed: ${reason}`, 'Run npm ci again, with Node 20.19 or newer.');
  }
  if (await isDashboardBuilt()) return ok('installation', 'The dashboard is built, and images can be processed.');
  return warn(
    'installation',
    'The dashboard is not built. Crier builds it at startup if it can write to its own folder.',
    'Run npm run build:dashboard.',
  );
}

const megabyte = 1024 ** 2;

export async function disk({ config: { dataDir } }: Core): Promise<Check> {
  const space = await diskSpace(dataDir);
  if (!space) return fail('disk', `${dataDir} cannot be read.`, 'Set DATA_DIR to a folder that Crier can write to.');
  const free = `${Math.round(space.freeBytes / megabyte).toLocaleString('en-US')} MB free in ${dataDir}.`;
  const todo =
    'Free up space, or move DATA_DIR or the media (STORAGE_URL) elsewhere: PostgreSQL stops when the disk is full.';
  if (space.freeBytes < 200 * megabyte) return fail('disk', free, todo);
  return space.freeBytes < Math.min(5120 * megabyte, space.bytes / 20) ? warn('disk', free, todo) : ok('disk', free);
}

export async function mailServer({ config }: Core): Promise<Check[]> {
  if (!config.mailServer) return [];
  const reason = await checkMailServer(config.mailServer);
  const place = `${config.mailServer.host}:${config.mailServer.port}`;
  if (reason === null) return [ok('mail server', `${place} responds and accepts the credentials.`)];
  return [fail('mail server', `${place} cannot be used: ${reason}`, todoOf(reason, 'Check MAIL_URL.'))];
}

export async function connections(core: Core): Promise<Check[]> {
  const broken = await selectBrokenConnections(core.db);
  const total = broken.reduce((sum, { count }) => sum + count, 0);
  const list = broken.map(({ platform, reason, count }) => `${platform} ${count} (${reason})`).join(', ');
  const expiring = await expiringConnections(core);
  return [
    total === 0
      ? ok('connections', 'None is broken.')
      : warn('connections', `Broken: ${list}.`, 'Their owners must connect them again and have been notified.'),
    expiring.length === 0
      ? ok('tokens', 'No connection that Crier cannot renew expires within a week.')
      : warn(
          'tokens',
          `Expiring within a week, not renewable by Crier: ${expiring.map(({ platform, count }) => `${platform} ${count}`).join(', ')}.`,
          'Their owners must connect them again.',
        ),
  ];
}

export async function apiVersions({ clock, platformAccess }: Core): Promise<Check> {
  const ending = versionWarnings(clock.now(), platformAccess.options);
  if (ending.length === 0) return ok('network APIs', 'No API version that Crier uses is retired within 60 days.');
  return warn('network APIs', ending.join(' '), 'Update Crier.');
}
