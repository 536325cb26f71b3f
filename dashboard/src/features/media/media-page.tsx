import { Button, Center, SegmentedControl, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { MediaCard } from './media-card.tsx';
import { type MediaFilters, mediaQuery, mediaTypes } from './media-queries.ts';
import { UploadButton } from './upload-button.tsx';

const columns = { base: 2, sm: 3, lg: 4 };
const spacing = { base: 'xs', sm: 'md' };

export function MediaPage({ filters, onFilter }: { filters: MediaFilters; onFilter: (filters: MediaFilters) => void }) {
  const list = useInfiniteQuery(mediaQuery(filters));
  const media = list.data?.pages.flatMap((page) => page.media);
  const isEmpty = media?.length === 0;
  return (
    <>
      <PageHeader title="Media" about="Files from your posts, newest first.">
        {!(isEmpty && !filters.type) && (
          <>
            <SegmentedControl
              aria-label="Type"
              value={filters.type ?? 'all'}
              onChange={(value) => {
                const type = mediaTypes.find((each) => each === value);
                onFilter(type ? { type } : {});
              }}
              data={[
                { value: 'all', label: 'All' },
                { value: 'image', label: 'Images' },
                { value: 'video', label: 'Videos' },
                { value: 'document', label: 'Documents' },
              ]}
            />
            <UploadButton />
          </>
        )}
      </PageHeader>
      {!media && list.error && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {!media && !list.error && <Loading />}
      {isEmpty && <NoFiles isFiltered={filters.type !== undefined} />}
      {media && !isEmpty && (
        <Stack>
          <SimpleGrid component="ul" cols={columns} spacing={spacing} p={0} m={0} aria-label="Files">
            {media.map((each) => (
              <MediaCard key={each._id} media={each} />
            ))}
          </SimpleGrid>
          {list.hasNextPage && (
            <Center>
              <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                Show more
              </Button>
            </Center>
          )}
        </Stack>
      )}
    </>
  );
}

function NoFiles({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState icon={IconPhoto} title="No files of this type">
        Choose “All” to see every file.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconPhoto} title="No files yet" action={<UploadButton />}>
      Images, videos and documents from your posts appear here.
    </EmptyState>
  );
}

const Loading = () => (
  <SimpleGrid cols={columns} spacing={spacing} role="status" aria-busy="true" aria-label="Loading files">
    {Array.from({ length: 8 }, (_, card) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the cards are all the same.
      <Skeleton key={card} height={320} />
    ))}
  </SimpleGrid>
);
