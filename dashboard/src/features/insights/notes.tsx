import { Alert, Stack } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';

/** Why numbers are missing, one sentence each. */
export function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <Stack gap="xs">
      {notes.map((note) => (
        <Alert key={note} color="orange" variant="light" icon={<IconInfoCircle aria-hidden />}>
          {note}
        </Alert>
      ))}
    </Stack>
  );
}
