import { ActionIcon, Loader, Popover, Stack, Text, TextInput, Tooltip, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { describe } from '../../../components/error-state.tsx';
import { crier } from '../../../lib/api.ts';

/** Mentions on LinkedIn. Other networks detect mentions in the text. */
export default function MentionButton({ onPick }: { onPick: (mention: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus width={280}>
      <Popover.Target>
        <Tooltip label="Mention on LinkedIn">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label="Mention on LinkedIn"
            onClick={() => setOpen(!isOpen)}
          >
            <IconAt size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <People
          onPick={(mention) => {
            setOpen(false);
            onPick(mention);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function People({ onPick }: { onPick: (mention: string) => void }) {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed, 250);
  const { data, error, isPending } = useQuery({
    queryKey: ['mentionables', q],
    queryFn: async ({ signal }) => (await crier.listLinkedinMentionables({ q, limit: 10 }, { signal })).people,
  });
  return (
    <Stack gap="xs">
      <TextInput label="Name" value={typed} onChange={({ currentTarget }) => setTyped(currentTarget.value)} />
      {isPending && <Loader size="xs" />}
      {error && <Text size="sm">{describe(error).message}</Text>}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          No one found. People who commented on or reacted to your posts appear here.
        </Text>
      )}
      {data?.map(({ personId, name, mention }) => (
        <UnstyledButton key={personId} onClick={() => onPick(mention ?? name)} py={4}>
          <Text size="sm" dir="auto">
            {name}
          </Text>
        </UnstyledButton>
      ))}
    </Stack>
  );
}
