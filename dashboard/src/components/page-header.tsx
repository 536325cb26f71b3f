import { Box, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A page's heading, description and main buttons. `back` links to the parent list. */
export function PageHeader({
  title,
  about,
  back,
  children,
}: {
  title: string;
  about?: ReactNode;
  back?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="md">
      <Box flex="1 1 240px" miw={0}>
        {back}
        <Title order={1} size="h2">
          <bdi>{title}</bdi>
        </Title>
        {about && (
          <Text c="dimmed" mt={4} component="div" style={{ textWrap: 'pretty' }}>
            {about}
          </Text>
        )}
      </Box>
      {children && <Group gap="sm">{children}</Group>}
    </Group>
  );
}
