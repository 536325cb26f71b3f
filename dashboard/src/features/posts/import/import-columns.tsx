import { Select, Stack, Table, Text, Title } from '@mantine/core';
import { StackTable } from '../../../components/stack-table.tsx';
import { firstWords } from '../../../lib/posts/post-summary.ts';
import { type Column, columnLabels, columns } from './columns.ts';
import type { useImport } from './use-import.ts';

/** What each column of a file with other names is read as. The rows below are the preview. */
export function ImportColumns({
  state: { file, mapColumn, importing, stored },
}: {
  state: ReturnType<typeof useImport>;
}) {
  if (!file?.table) return null;
  const { names, records } = file.table;
  const isFixed = importing.isPending || stored.size > 0;
  return (
    <Stack gap="sm" component="section" aria-labelledby="file-columns">
      <div>
        <Title order={2} size="h4" id="file-columns">
          Columns of the file
        </Title>
        <Text size="sm" c="dimmed">
          Check what each column contains. The rows below show the result.
        </Text>
      </div>
      <StackTable label="Columns of the file" cellWidth={240}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Column</Table.Th>
            <Table.Th>First rows</Table.Th>
            <Table.Th>Import as</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {names.map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name.
            <Table.Tr key={index}>
              <Table.Td fw={600} dir="auto">
                {name || `Column ${index + 1}`}
              </Table.Td>
              <Table.Td data-label="First rows" data-line>
                <Text size="sm" c="dimmed" dir="auto" lineClamp={2}>
                  {examplesIn(records, index)}
                </Text>
              </Table.Td>
              <Table.Td data-label="Import as" data-line>
                <Select
                  aria-label={`Import ${name || `column ${index + 1}`} as`}
                  data={choices}
                  allowDeselect={false}
                  disabled={isFixed}
                  value={file.columns[index] ?? nothing}
                  onChange={(chosen) => mapColumn(index, columns.find((column) => column === chosen) ?? null)}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </StackTable>
    </Stack>
  );
}

const nothing = 'nothing';
const choices: { value: Column | typeof nothing; label: string }[] = [
  ...columns.map((value) => ({ value, label: columnLabels[value] })),
  { value: nothing, label: 'Don’t import' },
];

const examplesIn = (records: readonly { cells: string[] }[], index: number) =>
  records
    .map(({ cells }) => cells[index]?.trim() ?? '')
    .filter(Boolean)
    .slice(0, 2)
    .map((cell) => firstWords(cell, 60))
    .join(' · ');
