import { Group, Kbd, Modal, Table } from '@mantine/core';

const groups = [
  {
    name: 'On every page',
    shortcuts: [
      { keys: ['Ctrl', 'K'], does: 'Search (⌘ K on a Mac)' },
      { keys: ['N'], does: 'New post' },
      { keys: ['?'], does: 'Show this list' },
      { keys: ['Esc'], does: 'Close dialog or menu' },
    ],
  },
  {
    name: 'In the composer',
    shortcuts: [{ keys: ['Ctrl', 'Enter'], does: 'Schedule, or publish if there is no date' }],
  },
  {
    name: 'On a post in the queue',
    shortcuts: [
      { keys: ['Space'], does: 'Pick up or drop' },
      { keys: ['↑', '↓'], does: 'Move by a place' },
      { keys: ['←', '→'], does: 'Move by a day' },
    ],
  },
  {
    name: 'On a post in the calendar',
    shortcuts: [
      { keys: ['Enter'], does: 'Open post' },
      { keys: ['Space'], does: 'Pick up or drop' },
      { keys: ['←', '→'], does: 'Move by a day' },
      { keys: ['↑', '↓'], does: 'Move by a week in Month, by 15 minutes in Week and Day' },
      { keys: ['Alt', 'Arrows'], does: 'Move by an hour' },
      { keys: ['Esc'], does: 'Cancel move' },
    ],
  },
];

export function ShortcutsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts">
      <Table aria-label="Keyboard shortcuts">
        {groups.map(({ name, shortcuts }, index) => (
          <Table.Tbody key={name}>
            <Table.Tr>
              <Table.Th colSpan={2} scope="rowgroup" pt={index > 0 ? 'lg' : undefined}>
                {name}
              </Table.Th>
            </Table.Tr>
            {shortcuts.map(({ keys, does }) => (
              <Table.Tr key={does}>
                <Table.Td style={{ whiteSpace: 'nowrap', overflowWrap: 'normal' }}>
                  <Group gap={4} wrap="nowrap">
                    {keys.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </Group>
                </Table.Td>
                <Table.Td>{does}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        ))}
      </Table>
    </Modal>
  );
}
