import { Button, Center, Group, Pill, SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { DropArea } from '../../components/drop-area.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { count } from '../../lib/posts/post-summary.ts';
import { MediaCard } from './media-card.tsx';
import { type MediaFilters, mediaQuery, mediaTypes } from './media-queries.ts';
import { SearchField } from './search-field.tsx';
import { UploadButton } from './upload-button.tsx';
import { UploadList } from './upload-list.tsx';
import { useLibraryUploads } from './use-library-uploads.ts';

const columns = { base: 2, sm: 3, lg: 4 };
const spacing = { base: 'xs', sm: 'md' };

/** The library: files uploaded here and those of posts. */
export function MediaPage({ filters, onFilter }: { filters: MediaFilters; onFilter: (filters: MediaFilters) => void }) {
  const uploads = useLibraryUploads();
  const list = useInfiniteQuery(mediaQuery(filters));
  const media = list.data?.pages.flatMap((page) => page.media);
  const isEmpty = media?.length === 0;
  const isFiltered = Object.keys(filters).length > 0;
  const upload = <UploadButton onFiles={uploads.add} />;
  const setFilter = (change: { [Name in keyof MediaFilters]: MediaFilters[Name] | undefined }) =>
    onFilter(Object.fromEntries(Object.entries({ ...filters, ...change }).filter(([, value]) => value)));
  return (
    <>
      <DropArea invitation="Drop to upload to your library" onFiles={uploads.add} />
      <PageHeader title="Media" about="Files for your posts, newest first.">
        {!(isEmpty && !isFiltered) && (
          <Filters filters={filters} onChange={setFilter}>
            {upload}
          </Filters>
        )}
      </PageHeader>
      <UploadList uploads={uploads} />
      {!media && list.error && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {!media && !list.error && <Loading />}
      {isEmpty && (isFiltered ? <NothingFound onClear={() => onFilter({})} /> : <NoFiles>{upload}</NoFiles>)}
      {media && !isEmpty && (
        <Stack>
          <Text size="sm" c="dimmed" role="status">
            {count(list.data?.pages[0]?.pagination.totalItems ?? 0, 'file')}
          </Text>
          <SimpleGrid component="ul" cols={columns} spacing={spacing} p={0} m={0} aria-label="Files">
            {media.map((each) => (
              <MediaCard key={each._id} media={each} onLabel={(label) => setFilter({ label })} />
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

function Filters({
  filters,
  onChange,
  children,
}: {
  filters: MediaFilters;
  onChange: (change: { [Name in keyof MediaFilters]: MediaFilters[Name] | undefined }) => void;
  children: ReactNode;
}) {
  return (
    <Group gap="sm">
      {filters.label && (
        <Pill
          size="lg"
          withRemoveButton
          onRemove={() => onChange({ label: undefined })}
          removeButtonProps={{
            'aria-label': `Show files without the label ${filters.label}`,
            tabIndex: 0,
            'aria-hidden': false,
          }}
        >
          {filters.label}
        </Pill>
      )}
      <SearchField value={filters.q ?? ''} onSearch={(q) => onChange({ q })} />
      <SegmentedControl
        aria-label="Type"
        value={filters.type ?? 'all'}
        onChange={(value) => onChange({ type: mediaTypes.find((each) => each === value) })}
        data={[
          { value: 'all', label: 'All' },
          { value: 'image', label: 'Images' },
          { value: 'video', label: 'Videos' },
          { value: 'document', label: 'Documents' },
        ]}
      />
      {children}
    </Group>
  );
}

const NothingFound = ({ onClear }: { onClear: () => void }) => (
  <EmptyState
    icon={IconPhoto}
    title="No files found"
    action={
      <Button variant="default" onClick={onClear}>
        Show all files
      </Button>
    }
  >
    Search covers file names, alt text and labels.
  </EmptyState>
);

const NoFiles = ({ children }: { children: ReactNode }) => (
  <EmptyState icon={IconPhoto} title="No files yet" action={children}>
    Upload images, videos and PDFs here, or drop them on the page, to use them in any post.
  </EmptyState>
);

const Loading = () => (
  <SimpleGrid cols={columns} spacing={spacing} role="status" aria-busy="true" aria-label="Loading files">
    {Array.from({ length: 8 }, (_, card) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the cards are all the same.
      <Skeleton key={card} height={320} />
    ))}
  </SimpleGrid>
);
