import type { ListedMedia } from '@crier/client';
import {
  Box,
  Button,
  Center,
  Checkbox,
  Group,
  Modal,
  ScrollArea,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
} from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogButtons } from '../../../components/dialog-buttons.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { count } from '../../../lib/posts/post-summary.ts';
import { MediaPicture } from '../../media/media-picture.tsx';
import { mediaQuery } from '../../media/media-queries.ts';
import { SearchField } from '../../media/search-field.tsx';
import { UploadButton } from '../../media/upload-button.tsx';
import { UploadList } from '../../media/upload-list.tsx';
import { useLibraryUploads } from '../../media/use-library-uploads.ts';
import classes from './media.module.css';
import type { LibraryFile } from './use-uploads.ts';

const columns = { base: 2, xs: 3, sm: 4 };

/** Chooses files that were uploaded before, in the order in which they are selected. */
export default function LibraryDialog({
  onClose,
  onChosen,
}: {
  onClose: () => void;
  onChosen: (files: readonly LibraryFile[]) => void;
}) {
  const [q, setSearch] = useState('');
  const [chosen, setChosen] = useState<readonly LibraryFile[]>([]);
  const list = useInfiniteQuery(mediaQuery(q ? { q } : {}));
  const uploads = useLibraryUploads(({ _id, name, type, url }) => {
    if (type) setChosen((before) => [...before, { _id, fileName: name, type, url }]);
  });
  const files = list.data?.pages.flatMap((page) => page.media).filter(({ status }) => status === 'ready');
  const toggle = (file: ListedMedia) =>
    setChosen((before) =>
      before.some(({ _id }) => _id === file._id) ? before.filter(({ _id }) => _id !== file._id) : [...before, file],
    );
  return (
    <Modal opened onClose={onClose} title="Choose from library" size="xl" scrollAreaComponent={ScrollArea.Autosize}>
      <Stack>
        <Group align="flex-end" gap="sm">
          <Box flex="1 1 200px">
            <SearchField value={q} onSearch={setSearch} />
          </Box>
          <UploadButton variant="default" onFiles={uploads.add} />
        </Group>
        <UploadList uploads={uploads} />
        {!files && list.error && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
        {!files && !list.error && <Loading />}
        {files?.length === 0 && (
          <Text c="dimmed" ta="center" py="xl">
            {q ? 'No files found.' : 'No files yet. Upload some, for this post and for others.'}
          </Text>
        )}
        {files && files.length > 0 && (
          <SimpleGrid component="ul" cols={columns} spacing="sm" p={0} m={0} aria-label="Files">
            {files.map((file) => (
              <Choice
                key={file._id}
                file={file}
                isChosen={chosen.some(({ _id }) => _id === file._id)}
                onToggle={() => toggle(file)}
              />
            ))}
          </SimpleGrid>
        )}
        {list.hasNextPage && (
          <Center>
            <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              Show more
            </Button>
          </Center>
        )}
        <DialogButtons>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={chosen.length === 0}
            onClick={() => {
              onChosen(chosen);
              onClose();
            }}
          >
            {chosen.length === 0 ? 'Add files' : `Add ${count(chosen.length, 'file')}`}
          </Button>
        </DialogButtons>
      </Stack>
    </Modal>
  );
}

const Choice = ({ file, isChosen, onToggle }: { file: ListedMedia; isChosen: boolean; onToggle: () => void }) => (
  <li className={classes.choice}>
    <Checkbox.Card checked={isChosen} onClick={onToggle} aria-label={file.fileName} radius="md">
      <MediaPicture media={file} />
      <Checkbox.Indicator className={classes.chosen} />
      <Text size="sm" truncate px="xs" py={4} dir="auto">
        {file.fileName}
      </Text>
    </Checkbox.Card>
  </li>
);

const Loading = () => (
  <SimpleGrid cols={columns} spacing="sm" role="status" aria-busy="true" aria-label="Loading files">
    {[1, 2, 3, 4].map((card) => (
      <Skeleton key={card} height={140} />
    ))}
  </SimpleGrid>
);
