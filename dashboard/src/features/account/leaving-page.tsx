import { Button, Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ErrorState } from '../../components/error-state.tsx';
import icon from '../../icon.svg';
import { crier } from '../../lib/api.ts';
import { sessionQuery } from '../../lib/session.ts';
import { useTimePreferences } from '../../lib/time/preferences.ts';
import { dateKeyOf, formatLongDate, formatTime } from '../../lib/time/time.ts';
import { useSignOut } from '../sign-in/use-sign-out.ts';
import { ExportButton } from './export-button.tsx';

/** All that a person sees whose account will be deleted. */
export function LeavingPage({ deletionAt }: { deletionAt: string }) {
  const preferences = useTimePreferences();
  const { data: session } = useQuery(sessionQuery);
  const client = useQueryClient();
  const signOut = useSignOut();
  const keeping = useMutation({
    mutationFn: () => crier.keepAccount(),
    // Everything else was read while nothing could be changed.
    onSuccess: () => client.invalidateQueries(),
  });
  const date = formatLongDate(dateKeyOf(deletionAt, preferences.zone), preferences);
  return (
    <Center mih="100dvh" p="md" component="main">
      <Stack w="100%" maw={440} gap="lg">
        <Group gap="xs" justify="center">
          <img src={icon} width={32} height={32} alt="" />
          <Text fw={700} size="xl">
            Crier
          </Text>
        </Group>
        <Paper withBorder p={{ base: 'md', xs: 'xl' }} radius="lg">
          <Stack>
            <Title order={1} size="h3" style={{ textWrap: 'balance' }}>
              Your account will be deleted on {date}
            </Title>
            <Text size="sm">
              At {formatTime(deletionAt, preferences)}, everything in {session?.email ?? 'your account'} is deleted
              permanently: channels, posts, files and brands. Until then, nothing is published.
            </Text>
            <Text size="sm">
              If you keep your account, it works as before. Posts that were due in the meantime are drafts, so nothing
              goes out late.
            </Text>
            {keeping.error && <ErrorState error={keeping.error} />}
            <Button loading={keeping.isPending} onClick={() => keeping.mutate()}>
              Keep my account
            </Button>
            <ExportButton fullWidth />
            <Button variant="subtle" onClick={() => void signOut()}>
              Sign out
            </Button>
          </Stack>
        </Paper>
      </Stack>
    </Center>
  );
}
