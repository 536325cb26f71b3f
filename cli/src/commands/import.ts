import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Crier, PostCreated } from '@crier/client';
import { configFolder } from '../config.ts';
import type { AddCommand, Context } from '../context.ts';
import { CommandError, commandErrorOf } from '../failures.ts';
import { columns, type RowProblem, readRows } from '../import-file.ts';
import { finishDraft, prepareRows, problemIn, type ReadyRow, sendRows } from '../import-posts.ts';

interface ImportOptions {
  tz?: string;
  dryRun?: boolean;
}

export const addImport: AddCommand = (program, act) => {
  program
    .command('import')
    .description('publish or schedule many posts from posts.csv or posts.jsonl')
    .argument('<file>', 'CSV with a header, or JSON lines')
    .option('--tz <zone>', 'time zone for times without an offset (default: local)')
    .option('--dry-run', 'only validate')
    .addHelpText('after', help)
    .action(
      act(async (context: Context, file: string, { tz, dryRun }: ImportOptions) => {
        const { service, out, moment } = context;
        const { timeZone } = moment(tz);
        const content = await readFile(file, 'utf8');
        const { rows, problems: unreadable } = readRows(file, content);
        const crier = await service();
        const [{ connections }, { platforms: limits }] = await Promise.all([
          crier.listConnections(),
          crier.getPlatformLimits(),
        ]);
        const { ready, problems } = await prepareRows(rows, { file, connections, limits, timeZone });
        const marker = await openMarker(context, crier, content);
        const found = [...unreadable, ...problems];
        if (ready.length > 0) await validate();
        if (found.length > 0) throw refused(found);
        if (dryRun) {
          context.show({ dryRun: true, rows: ready.length }, [`All ${ready.length} rows are valid. Nothing was sent.`]);
          return;
        }
        await marker.set();
        const failed = await send();
        if (failed.length > 0) throw failure(failed, ready.length);
        await marker.remove();

        async function validate() {
          const bar = out.progress('Validating', ready.length);
          let done = 0;
          await sendRows(crier, ready, true, (row, result) => {
            const problem = problemIn(row, result);
            if (problem && !(marker.isSet && passesWithTime.includes(problem.code))) found.push(problem);
            done += 1;
            bar.update(done);
          });
          bar.end();
        }

        async function send() {
          const bar = out.progress('Importing', ready.length);
          const failures: RowProblem[] = [];
          let done = 0;
          await sendRows(crier, ready, false, async (row, result) => {
            const problem = problemIn(row, result) ?? (await finish(row, result.response as PostCreated));
            const { postGroupId = null } = problem ? {} : (result.response as PostCreated);
            if (problem) failures.push(problem);
            done += 1;
            bar.update(done);
            const { line } = row;
            const event = { line, postGroupId, replayed: result.replayed ?? false, error: problem };
            // People see the progress bar, and failures at the end.
            if (out.isJson) context.show(event, []);
          });
          bar.end();
          const lines = [
            `${out.paint.green('✓')} ${done - failures.length} of ${ready.length} rows are published or scheduled.`,
          ];
          if (failures.length === 0) context.show({ rows: ready.length, failed: 0 }, lines);
          return failures;
        }

        async function finish(row: ReadyRow, { postGroupId }: PostCreated): Promise<RowProblem | null> {
          if (row.files.length === 0) return null;
          try {
            await finishDraft(crier, row, postGroupId, out);
            return null;
          } catch (error) {
            const { code, message, exit } = commandErrorOf(error);
            if (exit === 'notReached' || exit === 'notSignedIn') throw error;
            return { line: row.line, code, message };
          }
        }
      }),
    );
};

const help = `
Columns: ${columns.join(',')}. Only text and to are required. Separate list items with ;.
A row without a time is published now. Write times as a date and a time: 2027-03-04 09:00. File paths are
relative to the imported file. alt is the alt text of each file, in order, for people who cannot see it;
leave an item empty for none. thread lists further parts, or is true to split the text into a thread.

All rows are validated before the first is sent. If the import is interrupted, run it again: each row is
posted once.

Examples:
  crier import posts.csv --dry-run
  crier import posts.jsonl --tz Europe/Berlin`;

/** Problems that can arise between an interrupted import and the next: the row may already be stored. */
const passesWithTime = [
  'SCHEDULED_TIME_IN_PAST',
  'POST_LIMIT_REACHED',
  'SCHEDULED_POST_LIMIT_REACHED',
  'SCHEDULE_HORIZON_REACHED',
  'DRAFT_LIMIT_REACHED',
];

/** The service keeps a key for a day. After that, it would post the row again. The last hour is for sending the rows. */
const maxAgeMs = 23 * 3_600_000;

const tooOld = (marker: string) =>
  new CommandError('refused', 'An import of this file was interrupted more than 23 hours ago. Nothing was sent.', {
    code: 'IMPORT_TOO_OLD',
    hint: `Rows that are already posted would be posted again. Remove them from the file (crier list shows them), or delete ${marker} to send all rows.`,
  });

/** Records that an import of this file by this user has started and not finished. */
async function openMarker({ environment, access }: Context, crier: Crier, content: string) {
  const folder = join(configFolder(environment), 'imports');
  const [{ url }, { context }] = await Promise.all([access(), crier.getAccountContext()]);
  const subject = `${url} ${context.actorUserId} ${content}`;
  const path = join(folder, createHash('sha256').update(subject).digest('hex').slice(0, 32));
  const begun = await stat(path).catch(() => null);
  if (begun && Date.now() - begun.mtimeMs > maxAgeMs) throw tooOld(path);
  return {
    isSet: begun !== null,
    async set() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Keeps the time of the first attempt.
      await writeFile(path, '', { flag: 'a' });
    },
    remove: () => rm(path, { force: true }),
  };
}

const linesOf = (problems: readonly RowProblem[]) =>
  problems.toSorted((a, b) => a.line - b.line).map(({ line, message }) => `line ${line}: ${message}`);

const refused = (problems: RowProblem[]) =>
  new CommandError('refused', `${problems.length} rows cannot be posted. Nothing was sent.`, {
    code: 'IMPORT_INVALID',
    hint: 'Correct these lines and run the import again.',
    data: { rows: problems.toSorted((a, b) => a.line - b.line) },
    lines: linesOf(problems),
  });

const failure = (problems: RowProblem[], count: number) =>
  new CommandError('failed', `${problems.length} of ${count} rows failed; the others are published or scheduled.`, {
    code: 'IMPORT_FAILED',
    hint: 'Run the import again: it sends only the missing rows.',
    data: { rows: problems },
    lines: linesOf(problems),
  });
