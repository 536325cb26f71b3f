import { Badge, Button, Center, Loader, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { AnchorLink } from '../../../components/links.tsx';
import { count, firstWords } from '../../../lib/posts/post-summary.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatDateTime } from '../../../lib/time/time.ts';
import classes from './import-list.module.css';
import type { ImportRow } from './read-rows.ts';
import type { RowOutcome } from './send-rows.ts';
import type { ImportFile } from './use-import.ts';

const shownAtFirst = 100;

interface Line {
  line: number;
  row: ImportRow | null;
  outcome: RowOutcome | null;
}

/** All rows with their results. Rejected rows come first. */
export function ImportList({
  file,
  outcomes,
  times,
  isChecking,
}: {
  file: ImportFile;
  outcomes: ReadonlyMap<number, RowOutcome>;
  times: ReadonlyMap<number, string | null>;
  isChecking: boolean;
}) {
  const [isWhole, setWhole] = useState(false);
  const lines = useMemo(() => linesOf(file, outcomes), [file, outcomes]);
  if (lines.length === 0)
    return (
      <Text c="dimmed">
        {file.table && !file.columns.includes('text') ? 'Choose the column with the text.' : 'The file has no rows.'}
      </Text>
    );
  return (
    <>
      <ul className={classes.list} aria-label="Rows">
        {(isWhole ? lines : lines.slice(0, shownAtFirst)).map((each) => (
          <RowOf key={each.line} {...each} time={times.get(each.line) ?? null} isChecking={isChecking} />
        ))}
      </ul>
      {!isWhole && lines.length > shownAtFirst && (
        <Center>
          <Button variant="default" onClick={() => setWhole(true)}>
            Show all {count(lines.length, 'row')}
          </Button>
        </Center>
      )}
    </>
  );
}

function linesOf({ rows, problems }: ImportFile, outcomes: ReadonlyMap<number, RowOutcome>): Line[] {
  const all: Line[] = [
    ...rows.map((row) => ({ line: row.line, row, outcome: outcomes.get(row.line) ?? null })),
    ...problems.map(({ line }) => ({ line, row: null, outcome: outcomes.get(line) ?? null })),
  ];
  const rank = ({ outcome }: Line) => (outcome?.kind === 'refused' ? 0 : 1);
  return all.sort((a, b) => rank(a) - rank(b) || a.line - b.line);
}

function RowOf({ line, row, outcome, time, isChecking }: Line & { time: string | null; isChecking: boolean }) {
  const preferences = useTimePreferences();
  // As it was read, because 5/12 may be in May or December.
  const when = time && time !== 'next-slot' ? formatDateTime(time, preferences) : row?.at;
  const facts = [row?.to.join(', '), row && (when ?? 'No time')].filter(Boolean);
  return (
    <li className={classes.row}>
      <span className={classes.line}>Line {line}</span>
      <div className={classes.post}>
        <Text size="sm" fw={500} dir="auto" lineClamp={2}>
          {row ? firstWords(row.text, 140) : 'This row can’t be read'}
        </Text>
        <Text size="xs" c="dimmed" dir="auto">
          {facts.join(' · ')}
        </Text>
      </div>
      <div className={classes.outcome}>
        {outcome && <Outcome outcome={outcome} />}
        {!outcome && isChecking && <Loader size="xs" aria-label="Checking" />}
      </div>
    </li>
  );
}

function Outcome({ outcome }: { outcome: RowOutcome }) {
  if (outcome.kind === 'refused') {
    return (
      <div className={classes.refused}>
        <IconAlertTriangle size={16} aria-hidden />
        <span>{outcome.message}</span>
      </div>
    );
  }
  if (outcome.kind === 'valid') {
    return (
      <Badge color="gray" variant="light" tt="none" leftSection={<IconCircleDashed size={12} aria-hidden />}>
        Ready
      </Badge>
    );
  }
  return (
    <AnchorLink to="/posts/$postGroupId" params={{ postGroupId: outcome.postGroupId }} size="sm">
      <IconCheck size={14} aria-hidden style={{ verticalAlign: -2 }} />{' '}
      {outcome.isRepeated ? 'Already imported' : 'Imported'}
    </AnchorLink>
  );
}
