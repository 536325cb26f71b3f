import { Box, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './page-header.module.css';

/** A page's heading with its toolbar in the same row, and a description. `back` links to the parent list. */
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
    <Box component="header" mb="md">
      {back}
      <Group justify="space-between" mih={34} gap="sm">
        <Title order={1} size="h2" flex="1 1 auto" miw={0} maw="100%">
          <bdi>{title}</bdi>
        </Title>
        {children && (
          <Group gap="xs" className={classes.tools}>
            {children}
          </Group>
        )}
      </Group>
      {about && (
        <Text c="dimmed" size="sm" mt={{ base: 6, sm: 2 }} component="div" style={{ textWrap: 'pretty' }}>
          {about}
        </Text>
      )}
    </Box>
  );
}
