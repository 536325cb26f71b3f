import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { adminCommand, type Common } from '../command.ts';
import { AdminError } from '../error-message.ts';
import { counted, printResult } from '../print-result.ts';
import { withData } from '../with-core.ts';
import { type Manifest, names } from './layout.ts';
import { writeBackup } from './write-backup.ts';

interface Options extends Common {
  to: string;
  keyTo?: string;
  media: boolean;
}

export const backup = () =>
  adminCommand('backup', {
    about: 'Back up the database, the media and the encryption key, even while Crier is running.',
    more:
      'The folder must not exist. The tables are a snapshot of one moment, and every file that they refer to is copied. Sessions and ' +
      'mail links are left out. Only its owner can read the backup. It contains everything needed to act as ' +
      'the connected accounts, unless --key-to stores the key (DATA_DIR/secret.key) elsewhere. It does not contain SECRET_KEY.',
    example: '--to /backups/crier-2027-04-01 --key-to /safe/crier.key',
  })
    .requiredOption('--to <folder>', 'the folder to create')
    .option('--key-to <file>', 'store the encryption key for credentials in this file, not in the backup')
    .option('--no-media', 'do not copy the files; use it if the bucket is backed up separately')
    .action((options: Options) =>
      withData(async (core) => {
        const folder = resolve(options.to);
        if (await stat(folder).catch(() => null))
          throw new AdminError(`${folder} already exists. Choose a new folder for --to.`);
        const keyFile = options.keyTo ? resolve(options.keyTo) : null;
        const manifest = await writeBackup(core, folder, { withMedia: options.media, keyFile });
        const isKeyInside = keyFile === null && core.config.secretKeys.length === 0;
        printResult(options, resultOf(folder, manifest, isKeyInside), textOf(folder, manifest, isKeyInside, keyFile));
      }),
    );

const rowsOf = ({ tables }: Manifest) => tables.reduce((sum, { rows }) => sum + rows, 0);

const resultOf = (folder: string, manifest: Manifest, isKeyInside: boolean) => ({
  folder,
  takenAt: manifest.takenAt,
  rows: rowsOf(manifest),
  files: manifest.media.files,
  bytes: manifest.media.bytes,
  missingFiles: manifest.media.missing,
  keyIncluded: isKeyInside,
});

function textOf(folder: string, manifest: Manifest, isKeyInside: boolean, keyFile: string | null): string[] {
  const { media } = manifest;
  const lines = [
    `${folder} contains ${counted(rowsOf(manifest), 'row')} and ${counted(media.files, 'file')} as of ${manifest.takenAt.toISOString()}.`,
  ];
  if (!media.included) lines.push('The media is not included. Back up the bucket as well.');
  if (media.missing > 0)
    lines.push(
      `${counted(media.missing, 'file')} could not be found in the storage. Posts with them cannot be published.`,
    );
  if (isKeyInside)
    lines.push(
      `It also contains the key (${names.key}): anyone who can read the backup can act as the connected accounts. Protect it like a password, or use --key-to.`,
    );
  else if (keyFile) lines.push(`The key is in ${keyFile}. If you lose it, all accounts must be connected again.`);
  else lines.push('Keep a copy of SECRET_KEY elsewhere. If you lose it, all accounts must be connected again.');
  return lines;
}

export const keyIn = (folder: string) => join(folder, names.key);
