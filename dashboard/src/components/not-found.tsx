import { Stack, Text, Title } from '@mantine/core';
import { ButtonLink } from './links.tsx';

export function NotFound() {
  return (
    <Stack align="flex-start">
      <Title order={1} size="h2">
        Page not found
      </Title>
      <Text c="dimmed">Check the address. The page may have been deleted.</Text>
      <ButtonLink to="/calendar">Go to calendar</ButtonLink>
    </Stack>
  );
}
