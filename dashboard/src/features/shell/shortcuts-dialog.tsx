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
    name: 'On a post in the calendar',
    shortcuts: [
      { keys: ['Enter'], does: 'Open post' },
      { keys: ['Space'], does: 'Pick up or drop' },
      { keys: ['Arrows'], does: 'Move by a day or a week' },
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
