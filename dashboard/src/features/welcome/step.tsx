import { Card, Group, ThemeIcon, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** A numbered step. Future steps only show their title. */
export function Step({
  number,
  title,
  current,
  children,
}: {
  number: number;
  title: string;
  current: number;
  children: ReactNode;
}) {
  const isDone = number < current;
  const isAhead = number > current;
  return (
    <Card component="li" withBorder padding="lg" aria-current={number === current ? 'step' : undefined}>
      <Group gap="sm" wrap="nowrap" mb={isAhead ? 0 : 'sm'}>
        <ThemeIcon
          radius="xl"
          size={30}
          variant={isAhead ? 'default' : 'filled'}
          color={isDone ? 'green.9' : undefined}
        >
          {isDone ? <IconCheck size={18} role="img" aria-label="Done" /> : number}
        </ThemeIcon>
        <Title order={2} size="h4" c={isAhead ? 'dimmed' : undefined}>
          {title}
        </Title>
      </Group>
      {!isAhead && children}
    </Card>
  );
}
