import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { channelsQuery } from '../../../lib/queries.ts';
import { keys } from '../../../lib/query-keys.ts';
import { usePhrases } from '../../../lib/time/phrases.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { orderOf } from '../../../lib/time/read-date.ts';
import { wallTime } from '../../../lib/time/time.ts';
import { type Column, guessColumns, isForeign } from './columns.ts';
import { type ImportChoices, prepareRows, type ReadyRow } from './prepare-rows.ts';
import { type FileRows, isJsonLines, readJsonLines, readTable, rowsOf, type Table } from './read-rows.ts';
import { type RowOutcome, sendRows } from './send-rows.ts';

export interface ImportFile extends FileRows {
  name: string;
  /** A CSV file with its columns, and what each is read as. */
  table: Table | null;
  columns: readonly (Column | null)[];
}

type Outcomes = ReadonlyMap<number, RowOutcome>;
type Choices = Pick<ImportChoices, 'to' | 'untimed'>;

const none: Outcomes = new Map();

/** The import of one file: read, validate with a dry run, import. */
export function useImport() {
  const client = useQueryClient();
  const { zone, locale } = useTimePreferences();
  const { data: channels } = useQuery(channelsQuery);
  const [file, setFile] = useState<ImportFile | null>(null);
  const [choices, setChoices] = useState<Choices>({ to: [], untimed: 'draft' });
  const [stored, setStored] = useState<Outcomes>(none);
  const written = useMemo(() => (file?.rows ?? []).flatMap(({ at }) => at ?? []), [file]);
  const phrases = usePhrases(written, locale);
  const dates = useMemo(
    () => ({ today: wallTime(new Date(), zone), order: orderOf(written, locale), phrases }),
    [written, locale, zone, phrases],
  );
  const { ready, problems } = useMemo(
    () => prepareRows(file?.rows ?? [], { channels: channels ?? [], zone, dates, ...choices }),
    [file, channels, zone, dates, choices],
  );
  const check = useQuery({
    queryKey: ['import-check', ready.map(({ post }) => post.idempotencyKey)],
    queryFn: async ({ signal }) => {
      const found = new Map<number, RowOutcome>();
      await sendRows(ready, { dryRun: true, signal }, (batch) => {
        for (const [line, outcome] of batch) found.set(line, outcome);
      });
      return found;
    },
    enabled: ready.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const outcomes = useMemo(() => {
    const all = new Map<number, RowOutcome>();
    for (const { line, message } of [...(file?.problems ?? []), ...problems])
      all.set(line, { kind: 'refused', message });
    for (const [line, outcome] of [...(check.data ?? none), ...stored]) all.set(line, outcome);
    return all;
  }, [file, problems, check.data, stored]);
  const importing = useMutation({
    mutationFn: (rows: readonly ReadyRow[]) =>
      sendRows(rows, { dryRun: false }, (batch) => setStored((before) => new Map([...before, ...batch]))),
    onSettled: () => client.invalidateQueries({ queryKey: keys.posts }),
  });
  /** What the dates of the rows were read as. */
  const times = useMemo(() => new Map(ready.map(({ line, post }) => [line, post.scheduledTime ?? null])), [ready]);
  return {
    file,
    times,
    channels,
    choices,
    outcomes,
    /** Valid rows that aren't imported yet. */
    open: ready.filter(({ line }) => outcomes.get(line)?.kind === 'valid'),
    stored,
    check,
    importing,
    async choose(chosen: File) {
      importing.reset();
      setStored(none);
      setFile(fileOf(chosen.name, await chosen.text()));
    },
    mapColumn(index: number, column: Column | null) {
      if (!file?.table) return;
      // Each of ours is read from one column.
      const columns = file.columns.map((each, at) => (at === index ? column : each === column ? null : each));
      setFile({ ...file, columns, ...rowsOf(file.table, columns) });
    },
    change: (part: Partial<Choices>) => setChoices((before) => ({ ...before, ...part })),
  };
}

function fileOf(name: string, content: string): ImportFile {
  if (isJsonLines(name)) return { name, table: null, columns: [], ...readJsonLines(content) };
  const table = readTable(content);
  const columns = guessColumns(table.names);
  return { name, table: isForeign(table.names) ? table : null, columns, ...rowsOf(table, columns) };
}
