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
    about: 'Back up the database, the media and the key of a Crier, also while it runs.',
    more:
      'The folder must not exist. The tables are those of one moment, and every file that they name is copied. Sessions and ' +
      'links in mails are left out. The backup can be read by its owner alone, and has everything that is needed to act as ' +
      'the connected accounts, unless --key-to puts the key (DATA_DIR/secret.key) elsewhere. A SECRET_KEY is not in it.',
    example: '--to /backups/crier-2027-04-01 --key-to /safe/crier.key',
  })
    .requiredOption('--to <folder>', 'the folder to make')
    .option('--key-to <file>', 'put the key that credentials are encrypted with here, not into the backup')
    .option('--no-media', 'leave the files out: the bucket that holds them has a backup of its own')
    .action((options: Options) =>
      withData(async (core) => {
        const folder = resolve(options.to);
        if (await stat(folder).catch(() => null))
          throw new AdminError(`${folder} exists. Choose a folder that does not exist for --to.`);
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
    `${folder} has ${counted(rowsOf(manifest), 'row')} and ${counted(media.files, 'file')} of ${manifest.takenAt.toISOString()}.`,
  ];
  if (!media.included) lines.push('The media is not in it. Back up the bucket as well.');
  if (media.missing > 0)
    lines.push(
      `${counted(media.missing, 'file')} could not be found in the storage. Posts with them cannot be published.`,
    );
  if (isKeyInside)
    lines.push(
      `It also has the key (${names.key}): who reads the backup can act as the connected accounts. Keep it like a password, or use --key-to.`,
    );
  else if (keyFile) lines.push(`The key is in ${keyFile}. Without it, all accounts would have to be connected again.`);
  else lines.push('Keep SECRET_KEY elsewhere. Without it, all accounts would have to be connected again.');
  return lines;
}

export const keyIn = (folder: string) => join(folder, names.key);
