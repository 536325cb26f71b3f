import { Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** A section of a settings page with a heading. */
export function Section({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  const heading = useId();
  return (
    <Paper component="section" aria-labelledby={heading} withBorder p={{ base: 'md', sm: 'lg' }} radius="lg">
      <Title order={2} size="h4" id={heading}>
        {title}
      </Title>
      {about && (
        <Text size="sm" c="dimmed" mt={4} component="div">
          {about}
        </Text>
      )}
      <Stack mt="md" align="stretch">
        {children}
      </Stack>
    </Paper>
  );
}
