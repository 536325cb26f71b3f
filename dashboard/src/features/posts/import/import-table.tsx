import { Badge, Button, Center, Loader, Table, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { AnchorLink } from '../../../components/links.tsx';
import { count, firstWords } from '../../../lib/post-summary.ts';
import classes from './import-page.module.css';
import type { ImportRow } from './read-rows.ts';
import type { RowOutcome } from './send-rows.ts';
import type { ImportFile } from './use-import.ts';

const shownAtFirst = 100;

interface Line {
  line: number;
  row: ImportRow | null;
  outcome: RowOutcome | null;
}

/** Every row with what becomes of it. Those that are not taken come first. */
export function ImportTable({
  file,
  outcomes,
  isChecking,
}: {
  file: ImportFile;
  outcomes: ReadonlyMap<number, RowOutcome>;
  isChecking: boolean;
}) {
  const [isWhole, setWhole] = useState(false);
  const lines = useMemo(() => linesOf(file, outcomes), [file, outcomes]);
  if (lines.length === 0) return <Text c="dimmed">The file has no rows.</Text>;
  return (
    <>
      <Table.ScrollContainer
        minWidth={560}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': 'Rows of the file' } }}
      >
        <Table aria-label="Rows" verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={64}>Line</Table.Th>
              <Table.Th>Post</Table.Th>
              <Table.Th w={160}>Time</Table.Th>
              <Table.Th>Result</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {(isWhole ? lines : lines.slice(0, shownAtFirst)).map((each) => (
              <RowOf key={each.line} {...each} isChecking={isChecking} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
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

function RowOf({ line, row, outcome, isChecking }: Line & { isChecking: boolean }) {
  return (
    <Table.Tr>
      <Table.Td c="dimmed">{line}</Table.Td>
      <Table.Td>
        <Text size="sm" dir="auto" lineClamp={2}>
          {row ? firstWords(row.text, 120) : 'Cannot be read'}
        </Text>
        {row && row.to.length > 0 && (
          <Text size="xs" c="dimmed" dir="auto">
            {row.to.join(', ')}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Text size="sm">{row?.at ?? 'No time'}</Text>
      </Table.Td>
      <Table.Td>
        {outcome ? <Outcome outcome={outcome} /> : isChecking && <Loader size="xs" aria-label="Checking" />}
      </Table.Td>
    </Table.Tr>
  );
}

function Outcome({ outcome }: { outcome: RowOutcome }) {
  if (outcome.kind === 'refused') {
    return (
      <Text size="sm" c="red" component="div" className={classes.message}>
        <IconAlertTriangle size={14} aria-hidden style={{ verticalAlign: -2 }} /> {outcome.message}
      </Text>
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
      {outcome.isRepeated ? 'Was imported before' : 'Imported'}
    </AnchorLink>
  );
}
