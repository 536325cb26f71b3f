import { labelRules } from 'virtual:openapi';
import { List, MultiSelect, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { channelName } from '../../../components/channels/avatar.tsx';
import { PlatformIcon } from '../../../components/channels/platform-icon.tsx';
import { asLabels } from '../../../components/labels/label-names.ts';
import { LabelsField, useKnownLabels } from '../../../components/labels/labels-field.tsx';
import { platformName, platformOf } from '../../../lib/platform-name.ts';
import { count } from '../../../lib/posts/post-summary.ts';
import { channelsQuery } from '../../../lib/queries.ts';
import type { PostRow } from '../list/rows.ts';
import type { BulkAction } from './bulk-action.ts';
import { BulkFrame } from './bulk-frame.tsx';
import { addChannel, addLabels, duplicate, publish, removeLabels, unpublishable } from './changes.ts';
import { RescheduleDialog } from './reschedule-dialog.tsx';

interface Props {
  posts: readonly PostRow[];
  /** Ends the selection. */
  onDone: () => void;
}

/** Opens with its first render. Each use needs another key. */
export default function BulkDialog({ action, ...props }: Props & { action: BulkAction }) {
  const [isOpen, setOpen] = useState(true);
  switch (action) {
    case 'publish':
      return <PublishDialog {...props} />;
    case 'channel':
      return <ChannelDialog {...props} />;
    case 'duplicate':
      return <DuplicateDialog {...props} />;
    case 'label':
      return <AddLabelDialog {...props} />;
    case 'unlabel':
      return <RemoveLabelDialog {...props} />;
    case 'reschedule':
      return (
        <RescheduleDialog posts={props.posts} opened={isOpen} onClose={() => setOpen(false)} onMoved={props.onDone} />
      );
  }
}

function PublishDialog({ posts, onDone }: Props) {
  const possible = posts.filter((post) => unpublishable(post) === null);
  const channels = new Set(possible.flatMap(({ platforms }) => platforms.map(({ platformId }) => platformId)));
  const scheduled = possible.filter(({ status }) => status === 'scheduled').length;
  const rest = posts.length - possible.length;
  const facts = [
    possible.length > 0 && `${count(possible.length, 'post')} will be published on ${count(channels.size, 'channel')}.`,
    scheduled > 0 && `${count(scheduled, 'scheduled post')} won’t wait for ${scheduled === 1 ? 'its' : 'their'} time.`,
    rest > 0 && `${count(rest, 'post')} can’t be published: already sent, or without a channel.`,
  ].filter((fact) => typeof fact === 'string');
  return (
    <BulkFrame
      title={`Publish ${count(possible.length, 'post')} now?`}
      confirm={`Publish ${count(possible.length, 'post')}`}
      posts={posts}
      change={possible.length > 0 ? publish : null}
      showsStatus
      onDone={onDone}
    >
      <List size="sm" spacing={4}>
        {facts.map((fact) => (
          <List.Item key={fact}>{fact}</List.Item>
        ))}
      </List>
    </BulkFrame>
  );
}

const DuplicateDialog = ({ posts, onDone }: Props) => (
  <BulkFrame
    title={`Duplicate ${count(posts.length, 'post')}?`}
    confirm={`Duplicate ${count(posts.length, 'post')}`}
    posts={posts}
    change={duplicate}
    onDone={onDone}
  >
    <Text size="sm">Each copy is a draft with the same text, channels, options and files.</Text>
  </BulkFrame>
);

function ChannelDialog({ posts, onDone }: Props) {
  const { data: channels = [] } = useQuery(channelsQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  // A channel belongs to one brand. Without "All brands", no post names its own.
  const owners = new Set(posts.map(({ userId }) => userId));
  const [owner] = owners;
  const offered = channels.filter(({ userId }) => owner === undefined || userId === owner);
  return (
    <BulkFrame
      title={`Add a channel to ${count(posts.length, 'post')}`}
      confirm="Add channel"
      posts={posts}
      change={chosen ? addChannel(chosen, new Set(offered.map(({ platformId }) => platformId))) : null}
      onDone={onDone}
    >
      {owners.size > 1 ? (
        <Text size="sm">
          These posts belong to several brands. Select posts of one brand to add one of its channels.
        </Text>
      ) : (
        <Select
          label="Channel"
          placeholder="Choose a channel"
          data={offered.map((channel) => ({
            value: channel.platformId,
            label: `${channelName(channel)} · ${platformName(platformOf(channel.platformId))}`,
          }))}
          value={chosen}
          onChange={setChosen}
          searchable={offered.length > 8}
          nothingFoundMessage="No matching channels"
          leftSection={chosen && <PlatformIcon platform={platformOf(chosen)} size={16} />}
          data-autofocus
        />
      )}
      <Text size="sm" c="dimmed">
        A scheduled post changes only if the network accepts it.
      </Text>
    </BulkFrame>
  );
}

function AddLabelDialog({ posts, onDone }: Props) {
  const [labels, setLabels] = useState<string[]>([]);
  const [typed, setTyped] = useState('');
  const wanted = asLabels([...labels, typed], useKnownLabels(), labelRules);
  return (
    <BulkFrame
      title={`Add a label to ${count(posts.length, 'post')}`}
      confirm="Add label"
      posts={posts}
      change={wanted.length > 0 ? addLabels(wanted) : null}
      onDone={onDone}
    >
      <LabelsField value={labels} onChange={setLabels} onTyped={setTyped} isInDialog />
    </BulkFrame>
  );
}

function RemoveLabelDialog({ posts, onDone }: Props) {
  const [labels, setLabels] = useState<string[]>([]);
  const used = [...new Set(posts.flatMap((post) => post.labels ?? []))].sort((a, b) => a.localeCompare(b));
  return (
    <BulkFrame
      title={`Remove a label from ${count(posts.length, 'post')}`}
      confirm="Remove label"
      posts={posts}
      change={labels.length > 0 ? removeLabels(labels) : null}
      onDone={onDone}
    >
      {used.length > 0 ? (
        <MultiSelect
          label="Labels"
          data={used}
          value={labels}
          onChange={setLabels}
          searchable
          nothingFoundMessage="No matching labels"
          comboboxProps={{ position: 'top-start' }}
          data-autofocus
        />
      ) : (
        <Text size="sm">These posts have no labels.</Text>
      )}
    </BulkFrame>
  );
}
