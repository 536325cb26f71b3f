import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Crier, PostCreated } from '@crier/client';
import { configFolder } from '../config.ts';
import type { AddCommand, Context } from '../context.ts';
import { CommandError, commandErrorOf } from '../failures.ts';
import { columns, type RowProblem, readRows } from '../import-file.ts';
import {
  finishDraft,
  prepareRows,
  problemIn,
  type ReadyRow,
  type Sending,
  sendRows,
  wasRefused,
} from '../import-posts.ts';
import { filesOf } from '../send-post.ts';
import { openSentRows, type SentRows } from '../sent-rows.ts';
import { showTime } from '../time-zone.ts';

interface ImportOptions {
  tz?: string;
  dryRun?: boolean;
  again?: boolean;
}

export const addImport: AddCommand = (program, act) => {
  program
    .command('import')
    .description('publish or schedule many posts from posts.csv or posts.jsonl')
    .argument('<file>', 'CSV with a header, or JSON lines')
    .option('--tz <zone>', 'time zone for times without an offset (default: local)')
    .option('--dry-run', 'only validate')
    .option('--again', 'also post rows that were already sent more than 23 hours ago')
    .addHelpText('after', help)
    .action(
      act(async (context: Context, file: string, { tz, dryRun, again }: ImportOptions) => {
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
        const sent = await openSentRows(await sentRowsFolder(context, crier));
        if (!again) requireRecent(ready, sent, timeZone);
        const found = [...unreadable, ...problems];
        if (ready.length > 0) await validate();
        if (found.length > 0) throw refused(found);
        if (dryRun) {
          context.show({ dryRun: true, rows: ready.length }, [`All ${ready.length} rows are valid. Nothing was sent.`]);
          return;
        }
        const failed = await send();
        if (failed.length > 0) throw failure(failed, ready.length);

        async function validate() {
          const bar = out.progress('Validating', ready.length);
          let done = 0;
          const onResult: Sending['onResult'] = (row, result) => {
            const problem = problemIn(row, result);
            const time = sent.firstSent(row.key);
            const mayBeStored = time !== undefined && !isOld(time);
            if (problem && !(mayBeStored && passesWithTime.includes(problem.code))) found.push(problem);
            done += 1;
            bar.update(done);
          };
          await sendRows(crier, ready, { dryRun: true, onResult });
          bar.end();
        }

        async function send() {
          const bar = out.progress('Importing', ready.length);
          const failures: RowProblem[] = [];
          let done = 0;
          const before: Sending['before'] = (batch) => sent.sending(batch.map(({ key }) => key));
          const onResult: Sending['onResult'] = async (row, result) => {
            if (wasRefused(result)) await sent.refused(row.key);
            const problem = problemIn(row, result) ?? (await finish(row, result.response as PostCreated));
            const { postGroupId = null } = problem ? {} : (result.response as PostCreated);
            if (problem) failures.push(problem);
            done += 1;
            bar.update(done);
            const { line } = row;
            const event = { line, postGroupId, replayed: result.replayed ?? false, error: problem };
            // People see the progress bar, and failures at the end.
            if (out.isJson) context.show(event, []);
          };
          await sendRows(crier, ready, { before, onResult });
          bar.end();
          const lines = [
            `${out.paint.green('✓')} ${done - failures.length} of ${ready.length} rows are published or scheduled.`,
          ];
          if (failures.length === 0) context.show({ rows: ready.length, failed: 0 }, lines);
          return failures;
        }

        async function finish(row: ReadyRow, { postGroupId }: PostCreated): Promise<RowProblem | null> {
          if (filesOf(row).length === 0) return null;
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

All rows are validated before the first is sent. If the import is interrupted, or if rows fail, run it again
within 23 hours: each row is posted once. After that, rows that were sent are refused, unless you use --again.

Examples:
  crier import posts.csv --dry-run
  crier import posts.jsonl --tz Europe/Berlin`;

/** Problems that can arise after a row was sent: it may already be stored. */
const passesWithTime = [
  'SCHEDULED_TIME_IN_PAST',
  'POST_LIMIT_REACHED',
  'SCHEDULED_POST_LIMIT_REACHED',
  'SCHEDULE_HORIZON_REACHED',
  'DRAFT_LIMIT_REACHED',
];

/** The service keeps a key for a day. After that, it would post the row again. The last hour is for sending the rows. */
const maxAgeMs = 23 * 3_600_000;

const isOld = (time: number) => Date.now() - time > maxAgeMs;

/** Throws if rows were sent so early that the service may not recognize them any more. */
function requireRecent(rows: readonly ReadyRow[], sent: SentRows, timeZone: string) {
  const old = rows.flatMap(({ line, key }): RowProblem[] => {
    const time = sent.firstSent(key);
    if (time === undefined || !isOld(time)) return [];
    const when = showTime(timeZone, new Date(time).toISOString());
    return [{ line, code: 'IMPORT_TOO_OLD', message: `This row was sent on ${when}, and may already be posted.` }];
  });
  if (old.length > 0) throw tooOld(old);
}

const tooOld = (problems: RowProblem[]) =>
  new CommandError(
    'refused',
    `${problems.length === 1 ? '1 row was' : `${problems.length} rows were`} sent more than 23 hours ago, from this file or another. Nothing was sent now.`,
    {
      code: 'IMPORT_TOO_OLD',
      hint: 'Remove these lines from the file and run the import again: crier list shows what is posted. To post the rows once more, use --again.',
      data: { rows: problems },
      lines: linesOf(problems),
    },
  );

/** The rows that were sent to this service as this user. */
async function sentRowsFolder({ environment, access }: Context, crier: Crier): Promise<string> {
  const [{ url }, { context }] = await Promise.all([access(), crier.getAccountContext()]);
  const subject = createHash('sha256').update(`${url} ${context.actorUserId}`).digest('hex').slice(0, 32);
  return join(configFolder(environment), 'imports', subject);
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
    hint: 'Run the import again within 23 hours: it sends only the missing rows.',
    data: { rows: problems },
    lines: linesOf(problems),
  });
