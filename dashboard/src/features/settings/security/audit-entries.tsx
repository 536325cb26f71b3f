import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ErrorState } from '../../../components/error-state.tsx';
import { useAllChannels } from '../../../lib/brands/own-and-brands.ts';
import { useBrands } from '../../../lib/brands/use-brands.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatDateTime } from '../../../lib/time/time.ts';
import classes from '../settings.module.css';
import { auditLogQuery } from '../settings-queries.ts';
import { actorOf, subjectOf, textOf } from './audit-labels.ts';

const sentence = (words: string) => words.replace(/^./, (letter) => letter.toUpperCase());

/** Newest first. `brand`: what the person did for this brand, otherwise the events of the person's account. */
export function AuditEntries({ brand }: { brand?: string }) {
  const preferences = useTimePreferences();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    auditLogQuery(brand),
  );
  const { data: channels = [] } = useAllChannels();
  const brands = useBrands() ?? [];
  const entries = data?.pages.flatMap((page) => page.entries);
  return (
    <>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!entries && !error && <Skeleton h={160} />}
      {entries?.length === 0 && <Text size="sm">No events yet.</Text>}
      {entries && entries.length > 0 && (
        <ul className={classes.rows} aria-label="Audit log">
          {entries.map((entry) => {
            const subject = subjectOf(entry, channels, brands);
            return (
              <li key={entry.id}>
                <div className={classes.words}>
                  <Text size="sm" fw={500}>
                    {textOf(entry, brand !== undefined)}
                    {subject && (
                      <Text span inherit fw={400} dir="auto">
                        : {subject}
                      </Text>
                    )}
                  </Text>
                  <Text size="sm" c="dimmed">
                    {sentence(actorOf(entry, brand !== undefined))}
                  </Text>
                </div>
                <Text size="sm" c="dimmed" component="time" dateTime={entry.at}>
                  {formatDateTime(entry.at, preferences)}
                </Text>
              </li>
            );
          })}
        </ul>
      )}
      {hasNextPage && (
        <Group>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </>
  );
}
