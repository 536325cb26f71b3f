import { Stack, Text, Title } from '@mantine/core';
import { ButtonLink } from './links.tsx';

export function NotFound() {
  return (
    <Stack align="flex-start">
      <Title order={1} size="h2">
        There is no such page
      </Title>
      <Text c="dimmed">The address may be mistyped, or what it showed was deleted.</Text>
      <ButtonLink to="/calendar">Go to the calendar</ButtonLink>
    </Stack>
  );
}
