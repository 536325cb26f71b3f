import type { ListSessionsResult } from '@crier/client';
import { Badge, Button, Group, Skeleton, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { ErrorState } from '../../../components/error-state.tsx';
import { notifyError } from '../../../components/notify.tsx';
import { crier } from '../../../lib/api.ts';
import { count } from '../../../lib/posts/post-summary.ts';
import { keys } from '../../../lib/query-keys.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatDateTime, formatRelative } from '../../../lib/time/time.ts';
import { Section } from '../section.tsx';
import classes from '../settings.module.css';
import { sessionsQuery } from '../settings-queries.ts';

type Session = ListSessionsResult['sessions'][number];

export function SessionsSection() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery);
  const refresh = useRefresh();
  const ending = useMutation({
    mutationFn: () => crier.deleteOtherSessions(),
    onSuccess: ({ ended }) =>
      notifications.show({ message: `Signed out of ${count(ended, 'other session')}.`, withBorder: true }),
    onError: (failure) => notifyError('Couldn’t sign out other devices', failure),
    onSettled: refresh,
  });
  return (
    <Section
      title="Sessions"
      about="Where you’re signed in. Sessions expire after 7 days of inactivity, and after 30 days at most."
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!sessions && !error && <Skeleton h={56} />}
      {sessions && (
        <ul className={classes.rows} aria-label="Sessions">
          {sessions.map((session) => (
            <SessionRow key={session._id} session={session} />
          ))}
        </ul>
      )}
      {sessions && sessions.length > 1 && (
        <Group>
          <Button variant="default" loading={ending.isPending} onClick={() => ending.mutate()}>
            Sign out everywhere else
          </Button>
        </Group>
      )}
    </Section>
  );
}

function SessionRow({ session }: { session: Session }) {
  const preferences = useTimePreferences();
  const device = useId();
  const refresh = useRefresh();
  const ending = useMutation({
    mutationFn: () => crier.deleteSession({ sessionId: session._id }),
    onError: (failure) => notifyError(`Couldn’t sign out ${session.device}`, failure),
    onSettled: refresh,
  });
  const facts = [
    session.address,
    `signed in ${formatDateTime(session.createdAt, preferences)}`,
    `last used ${formatRelative(session.lastUsedAt, preferences)}`,
  ];
  return (
    <li>
      <div className={classes.words}>
        <Group gap="xs">
          <Text fw={500} id={device}>
            {session.device}
          </Text>
          {session.current && (
            <Badge tt="none" variant="light">
              This device
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {facts.filter((fact) => fact !== null).join(' · ')}
        </Text>
      </div>
      {!session.current && (
        <Button
          size="xs"
          variant="default"
          aria-describedby={device}
          loading={ending.isPending}
          onClick={() => ending.mutate()}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}

function useRefresh() {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: keys.auditLog });
    return client.invalidateQueries({ queryKey: keys.sessions });
  };
}
