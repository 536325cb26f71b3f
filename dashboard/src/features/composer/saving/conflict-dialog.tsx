import { Button, Group, Modal, SimpleGrid, Stack, Text } from '@mantine/core';
import { LabelChips } from '../../../components/labels/label-chip.tsx';
import classes from '../composer.module.css';
import { type Draft, textFor } from '../draft.ts';

/** Shows both versions when another tab or person saved the same draft. */
export default function ConflictDialog({
  mine,
  theirs,
  onChoose,
}: {
  mine: Draft;
  theirs: Draft;
  onChoose: (choice: 'mine' | 'theirs') => void;
}) {
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      size="lg"
      title="This post was changed elsewhere"
    >
      <Text size="sm" mb="md">
        It was saved in another tab or by someone else since you opened it. Choose which version to keep.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Version title="Yours" draft={mine} button="Keep yours" onChoose={() => onChoose('mine')} />
        <Version title="Theirs" draft={theirs} button="Use theirs" onChoose={() => onChoose('theirs')} />
      </SimpleGrid>
    </Modal>
  );
}

function Version({
  title,
  draft,
  button,
  onChoose,
}: {
  title: string;
  draft: Draft;
  button: string;
  onChoose: () => void;
}) {
  const own = Object.keys(draft.overrides).filter((channel) => draft.channels.includes(channel));
  const count = draft.channels.length;
  return (
    <Stack className={classes.card} gap="sm" component="section" aria-label={title} justify="space-between">
      <div>
        <Text fw={600}>{title}</Text>
        <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap' }} mah={260} className={classes.scroll}>
          {draft.text || '(no text)'}
        </Text>
        {own.map((channel) => (
          <Text key={channel} size="sm" dir="auto" mt="xs" lineClamp={4}>
            {channel}: {textFor(draft, channel)}
          </Text>
        ))}
        <Text size="sm" c="dimmed" mt="xs">
          {count === 1 ? '1 channel' : `${count} channels`}
          {draft.date && `, ${draft.date} ${draft.time}`}
        </Text>
        <LabelChips labels={draft.labels} />
      </div>
      <Group>
        <Button variant={title === 'Yours' ? 'filled' : 'default'} onClick={onChoose}>
          {button}
        </Button>
      </Group>
    </Stack>
  );
}
