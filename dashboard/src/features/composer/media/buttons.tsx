import { Button, FileButton, Group, Popover, TextInput } from '@mantine/core';
import { IconLibraryPhoto, IconLink, IconPhotoPlus } from '@tabler/icons-react';
import { lazy, memo, Suspense, useState } from 'react';
import type { LibraryFile, Uploads } from './use-uploads.ts';

const LibraryDialog = lazy(() => import('./library-dialog.tsx'));

const accepted = 'image/*,.heic,.heif,video/*,application/pdf';

/** "Add media": from a file, the library or a URL. */
export const MediaButtons = memo(function MediaButtons({
  onAdd,
  suffix,
}: {
  onAdd: Uploads['add'];
  /** Tells the buttons of several lists of files apart. */
  suffix?: string;
}) {
  const named = (label: string) => (suffix ? { 'aria-label': `${label}${suffix}` } : {});
  return (
    <Group gap={4}>
      <FileButton multiple accept={accepted} onChange={(files) => onAdd(files)}>
        {(props) => (
          <Button
            {...props}
            {...named('Add media')}
            variant="subtle"
            size="sm"
            px="xs"
            leftSection={<IconPhotoPlus size={18} aria-hidden />}
          >
            Add media
          </Button>
        )}
      </FileButton>
      <FromLibrary named={named('Choose from library')} onAdd={onAdd} />
      <FromLink named={named('Media from link')} onAdd={(url) => onAdd([url])} />
    </Group>
  );
});

interface Named {
  readonly 'aria-label'?: string;
}

function FromLibrary({ named, onAdd }: { named: Named; onAdd: (files: readonly LibraryFile[]) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        {...named}
        variant="subtle"
        size="sm"
        px="xs"
        leftSection={<IconLibraryPhoto size={18} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Choose from library
      </Button>
      <Suspense>{isOpen && <LibraryDialog onClose={() => setOpen(false)} onChosen={onAdd} />}</Suspense>
    </>
  );
}

function FromLink({ named, onAdd }: { named: Named; onAdd: (url: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  const [url, setUrl] = useState('');
  const isAddress = /^https:\/\/\S+\.\S+/.test(url.trim());
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus width={300} position="bottom-start">
      <Popover.Target>
        <Button
          {...named}
          variant="subtle"
          size="sm"
          px="xs"
          leftSection={<IconLink size={18} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          Media from link
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!isAddress) return;
            onAdd(url.trim());
            setUrl('');
            setOpen(false);
          }}
        >
          <TextInput
            label="Image or video URL"
            placeholder="https://"
            type="url"
            value={url}
            onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          />
          <Button type="submit" size="sm" mt="xs" disabled={!isAddress}>
            Add
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
