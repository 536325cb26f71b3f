import { Anchor, Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import icon from '../../icon.svg';

/** The layout of pages before sign-in. */
export function SignInFrame({ title, children, below }: { title: string; children: ReactNode; below?: ReactNode }) {
  return (
    <Center mih="100dvh" p="md" component="main">
      <Stack w="100%" maw={400} gap="lg">
        <Stack gap="xs">
          <Group gap="xs" justify="center">
            <img src={icon} width={32} height={32} alt="" />
            <Text fw={700} size="xl">
              Crier
            </Text>
          </Group>
          <Text ta="center" c="dimmed" style={{ textWrap: 'balance' }}>
            Write a post once. Crier publishes it on X, LinkedIn, Instagram and your other networks, now or at the time
            you choose.
          </Text>
        </Stack>
        <Paper withBorder p={{ base: 'md', xs: 'xl' }} radius="lg">
          <Title order={1} size="h3" mb="md">
            {title}
          </Title>
          {children}
        </Paper>
        {below && (
          <Text ta="center" size="sm">
            {below}
          </Text>
        )}
        <Text ta="center" size="xs" c="dimmed">
          For developers: <Anchor href="/docs">API reference</Anchor>
        </Text>
      </Stack>
    </Center>
  );
}
