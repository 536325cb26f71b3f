import { Box, Center, Stack, Text, Title } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './illustrations/illustrations.module.css';
import { type Illustration, illustrations } from './illustrations/illustrations.tsx';

/** Shown when a page has no content: what the page is for, and its main action. */
export function EmptyState({
  icon: IconOfPage,
  picture = 'scroll',
  title,
  children,
  action,
}: {
  icon: Icon;
  picture?: Illustration;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  const Picture = illustrations[picture];
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="sm" maw={420}>
        <div className={classes.picture}>
          <Picture />
          <span className={classes.badge}>
            <IconOfPage size={22} stroke={1.6} aria-hidden />
          </span>
        </div>
        <Title order={2} size="h4" ta="center">
          {title}
        </Title>
        <Text c="dimmed" ta="center" style={{ textWrap: 'balance' }}>
          {children}
        </Text>
        {action && <Box mt="xs">{action}</Box>}
      </Stack>
    </Center>
  );
}
