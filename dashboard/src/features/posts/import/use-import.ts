import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { channelsQuery } from '../../../lib/queries.ts';
import { keys } from '../../../lib/query-keys.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { type ImportChoices, prepareRows, type ReadyRow } from './prepare-rows.ts';
import { type FileRows, readRows } from './read-rows.ts';
import { type RowOutcome, sendRows } from './send-rows.ts';

export interface ImportFile extends FileRows {
  name: string;
}

type Outcomes = ReadonlyMap<number, RowOutcome>;
type Choices = Pick<ImportChoices, 'to' | 'untimed'>;

const none: Outcomes = new Map();

/** The import of one file: read, validate with a dry run, import. */
export function useImport() {
  const client = useQueryClient();
  const { zone } = useTimePreferences();
  const { data: channels } = useQuery(channelsQuery);
  const [file, setFile] = useState<ImportFile | null>(null);
  const [choices, setChoices] = useState<Choices>({ to: [], untimed: 'draft' });
  const [stored, setStored] = useState<Outcomes>(none);
  const { ready, problems } = useMemo(
    () => prepareRows(file?.rows ?? [], { channels: channels ?? [], zone, ...choices }),
    [file, channels, zone, choices],
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
  return {
    file,
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
      setFile({ name: chosen.name, ...readRows(chosen.name, await chosen.text()) });
    },
    change: (part: Partial<Choices>) => setChoices((before) => ({ ...before, ...part })),
  };
}
