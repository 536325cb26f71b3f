import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ErrorState } from '../../../components/error-state.tsx';
import { channelsQuery } from '../../../lib/queries.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatDateTime } from '../../../lib/time/time.ts';
import { Section } from '../section.tsx';
import classes from '../settings.module.css';
import { auditLogQuery } from '../settings-queries.ts';
import { actorOf, subjectOf } from './audit-labels.ts';

const sentence = (words: string) => words.replace(/^./, (letter) => letter.toUpperCase());

/** Security events of the account, newest first. */
export function AuditSection() {
  const preferences = useTimePreferences();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(auditLogQuery);
  const { data: channels = [] } = useQuery(channelsQuery);
  const entries = data?.pages.flatMap((page) => page.entries);
  return (
    <Section
      title="Audit log"
      about="Security events on your account. If you don’t recognise one, change your password."
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!entries && !error && <Skeleton h={160} />}
      {entries?.length === 0 && <Text size="sm">No events yet.</Text>}
      {entries && entries.length > 0 && (
        <ul className={classes.rows} aria-label="Audit log">
          {entries.map((entry) => (
            <li key={entry.id}>
              <div className={classes.words}>
                <Text size="sm" fw={500}>
                  {entry.text}
                  {subjectOf(entry, channels) && (
                    <Text span inherit fw={400} dir="auto">
                      : {subjectOf(entry, channels)}
                    </Text>
                  )}
                </Text>
                <Text size="sm" c="dimmed">
                  {sentence(actorOf(entry))}
                </Text>
              </div>
              <Text size="sm" c="dimmed" component="time" dateTime={entry.at}>
                {formatDateTime(entry.at, preferences)}
              </Text>
            </li>
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Group>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </Section>
  );
}
