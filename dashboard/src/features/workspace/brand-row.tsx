import type { Connection, WorkspaceUser } from '@crier/client';
import { ActionIcon, Button, Card, Group, Menu, Modal, Text } from '@mantine/core';
import { IconDots, IconHistory, IconKey, IconUnlink } from '@tabler/icons-react';
import { useState } from 'react';
import { BrandAvatar } from '../../components/brands/brand-avatar.tsx';
import { AnchorLink, ButtonLink } from '../../components/links.tsx';
import { useBrandOf } from '../../lib/brands/use-brands.ts';
import { count } from '../../lib/posts/post-summary.ts';
import { useTimePreferences } from '../../lib/time/preferences.ts';
import { formatRelative } from '../../lib/time/time.ts';
import { needsAttention } from '../channels/channel-list.ts';
import { AuditEntries } from '../settings/security/audit-entries.tsx';
import { DetachDialog } from './detach-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { isPlaceholder } from './placeholder-email.ts';

/** A brand with its pages, link and keys. */
export function BrandRow({ user, channels }: { user: WorkspaceUser; channels: readonly Connection[] | undefined }) {
  const preferences = useTimePreferences();
  const [dialog, setDialog] = useState<'edit' | 'link' | 'key' | 'log' | 'detach' | null>(null);
  const close = () => setDialog(null);
  const brand = useBrandOf()({ userId: user._id });
  const expiresAt = user.connectionsPageTokenExpiresAt;
  return (
    <Card withBorder padding="md" component="li" aria-label={user.displayName}>
      <Group justify="space-between" gap="md">
        <Group gap="sm" wrap="nowrap" miw={0} flex="1 1 240px">
          {brand && <BrandAvatar brand={brand} />}
          <div style={{ minWidth: 0 }}>
            <Text fw={600} truncate>
              <bdi>{user.displayName}</bdi>
            </Text>
            {user.username !== user.displayName && !isPlaceholder(user.username) && (
              <Text size="sm" c="dimmed" truncate title={user.username}>
                {user.username}
              </Text>
            )}
            {channels && <Channels brand={user._id} channels={channels} />}
            <Text size="sm" c="dimmed">
              {expiresAt ? `Connection link expires ${formatRelative(expiresAt, preferences)}` : 'No connection link'}
            </Text>
          </div>
        </Group>
        <Group gap="xs">
          <ButtonLink size="xs" to="/calendar" search={{ brand: user._id }} preload={false}>
            Open
          </ButtonLink>
          <Button size="xs" variant="default" onClick={() => setDialog('edit')}>
            Edit
          </Button>
          <Button size="xs" variant="default" onClick={() => setDialog('link')}>
            Connection link
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" size={30} aria-label="More actions">
                <IconDots size={16} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconKey size={16} aria-hidden />} onClick={() => setDialog('key')}>
                New key
              </Menu.Item>
              <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} onClick={() => setDialog('log')}>
                Audit log
              </Menu.Item>
              <Menu.Item leftSection={<IconUnlink size={16} aria-hidden />} onClick={() => setDialog('detach')}>
                Detach
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      </Group>
      <EditDialog user={user} opened={dialog === 'edit'} onClose={close} />
      <LinkDialog user={user} opened={dialog === 'link'} onClose={close} />
      <KeyDialog user={user} opened={dialog === 'key'} onClose={close} />
      <Modal opened={dialog === 'log'} onClose={close} title={`Audit log of ${user.displayName}`} size="lg" centered>
        <Text size="sm" c="dimmed" mb="xs">
          What you did for this brand. Your own log is under Settings → Security.
        </Text>
        <AuditEntries brand={user._id} />
      </Modal>
      <DetachDialog user={user} opened={dialog === 'detach'} onClose={close} />
    </Card>
  );
}

/** How many channels the brand has, and those that the person has to look at. */
function Channels({ brand, channels }: { brand: string; channels: readonly Connection[] }) {
  const troubled = channels.filter(needsAttention).length;
  return (
    <Text size="sm" c="dimmed">
      {channels.length === 0 ? 'No channels' : count(channels.length, 'channel')}
      {troubled > 0 && (
        <>
          {' · '}
          <AnchorLink
            to="/channels"
            search={{ brand, health: 'attention' }}
            inherit
            c="var(--mantine-color-error)"
            preload={false}
          >
            {troubled} {troubled === 1 ? 'needs' : 'need'} attention
          </AnchorLink>
        </>
      )}
    </Text>
  );
}
