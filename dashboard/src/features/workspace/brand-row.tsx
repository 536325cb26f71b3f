import type { WorkspaceUser } from '@crier/client';
import { Button, Card, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { BrandAvatar } from '../../components/brands/brand-avatar.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { useBrandOf } from '../../lib/brands/use-brands.ts';
import { useTimePreferences } from '../../lib/time/preferences.ts';
import { formatRelative } from '../../lib/time/time.ts';
import { DetachDialog } from './detach-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { isPlaceholder } from './placeholder-email.ts';

/** A brand with its pages, link and keys. */
export function BrandRow({ user }: { user: WorkspaceUser }) {
  const preferences = useTimePreferences();
  const [dialog, setDialog] = useState<'edit' | 'link' | 'key' | 'detach' | null>(null);
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
          <Button size="xs" variant="default" onClick={() => setDialog('key')}>
            New key
          </Button>
          <Button size="xs" variant="default" onClick={() => setDialog('detach')}>
            Detach
          </Button>
        </Group>
      </Group>
      <EditDialog user={user} opened={dialog === 'edit'} onClose={close} />
      <LinkDialog user={user} opened={dialog === 'link'} onClose={close} />
      <KeyDialog user={user} opened={dialog === 'key'} onClose={close} />
      <DetachDialog user={user} opened={dialog === 'detach'} onClose={close} />
    </Card>
  );
}
