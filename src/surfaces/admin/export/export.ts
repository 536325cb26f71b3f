import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportUser } from '../../../features/account-data/export/export-user.ts';
import { writePrivateFile } from '../../../foundation/system/private-file.ts';
import { adminCommand, type Common, userOption } from '../command.ts';
import { AdminError } from '../error-message.ts';
import { printResult } from '../print-result.ts';
import { requireUser } from '../users/require-user.ts';
import { withCore } from '../with-core.ts';

interface Options extends Common {
  user: string;
  output?: string;
}

export const exportCommand = () =>
  adminCommand('export', {
    about: 'Export everything a user owns as one JSON document.',
    more:
      'The export contains the account, sessions, API keys, the list of emails, managed users, connections, usage, audit log, ' +
      'recent API calls, drafts, posting slots, webhooks and their deliveries, and posts with their media records and logs, but no secrets and no ' +
      'files. It is written to standard output (with --json on one line). npm prints lines before it, unless you run it ' +
      'with --silent.',
    example: '--user ada@example.com --output ada.json',
  })
    .addOption(userOption())
    .option('--output <file>', 'write to this file instead')
    .action((options: Options) =>
      withCore(async (core) => {
        const { id, email } = await requireUser(core, options.user);
        const document = Readable.from(exportUser(core, id, options.json && !options.output ? '' : '\n'));
        if (!options.output) return toStandardOutput(document);
        const file = resolve(options.output);
        await toFile(document, file);
        printResult(options, { userId: id, email, file }, [`Everything ${email} owns is in ${file}.`]);
      }),
    );

async function toStandardOutput(document: Readable) {
  await pipeline(document, process.stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
    // The reader closed the pipe, as `| head` does.
    if (error.code !== 'EPIPE') throw error;
    process.exitCode = 1;
  });
}

async function toFile(document: Readable, file: string) {
  const write = (path: string) => pipeline(document, createWriteStream(path));
  await writePrivateFile(file, write).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined) throw error;
    throw new AdminError(`Cannot write ${file} (${error.code}). Choose another --output.`);
  });
}
