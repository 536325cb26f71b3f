import { Button, Drawer, Group } from '@mantine/core';
import { IconClockEdit } from '@tabler/icons-react';
import { OfOneBrand } from '../../components/brands/choose-brand.tsx';
import { ChannelSelect } from '../../components/channels/select.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueueList } from './queue-list.tsx';
import type { QueueSearch } from './queue-search.ts';
import { SlotsEditor } from './slots/slots-editor.tsx';

/** The next posts in their weekly slots, and the slots themselves. */
export function QueuePage({ search, onSearch }: { search: QueueSearch; onSearch: (search: QueueSearch) => void }) {
  const { channel } = search;
  const filter: QueueSearch = channel ? { channel } : {};
  const edit = () => onSearch({ ...filter, slots: 'edit' });
  return (
    <OfOneBrand page="Queue" title="Which brand’s queue do you want to see?">
      <PageHeader
        title="Queue"
        about="Your next posts in their weekly slots. Drag a post to move it. The posts in between move up or down."
      >
        <Button variant="default" leftSection={<IconClockEdit size={18} aria-hidden />} onClick={edit}>
          Edit slots
        </Button>
      </PageHeader>
      <Group mb="md">
        <ChannelSelect value={channel ?? null} onChange={(id) => onSearch(id ? { channel: id } : {})} />
      </Group>
      <QueueList key={channel} channel={channel ?? null} onEdit={edit} />
      <Drawer
        opened={search.slots === 'edit'}
        onClose={() => onSearch(filter)}
        title="Posting slots"
        position="right"
        size="lg"
      >
        <SlotsEditor channel={channel ?? null} />
      </Drawer>
    </OfOneBrand>
  );
}
