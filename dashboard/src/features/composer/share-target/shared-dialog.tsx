import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { count } from '../../../lib/posts/post-summary.ts';
import { type Shared, takeShared } from '../../../lib/share-worker.ts';
import { sharedText } from './shared-text.ts';

/**
 * Asks before the composer takes what was shared: any website can send a form to the address that phones share to, and
 * the composer saves and uploads what it has.
 */
export default function SharedDialog({ onAdd }: { onAdd: (text: string, files: readonly File[]) => void }) {
  const [shared, setShared] = useState<Shared | null>(null);
  const navigate = useNavigate();
  useEffect(() => {
    void takeShared().then((found) => {
      if (found && !('isGone' in found)) return setShared(found);
      if (found) notifications.show({ message: 'Crier didn’t receive what you shared. Share it again.', color: 'red' });
    });
  }, []);
  const close = () => {
    setShared(null);
    void navigate({ to: '/compose', search: {}, replace: true, resetScroll: false });
  };
  if (!shared) return null;
  const [text, { files }] = [sharedText(shared), shared];
  const add = () => {
    onAdd(text, files);
    close();
  };
  return (
    <Modal opened title="Add to a new post?" onClose={close}>
      <Stack>
        <Text size="sm">An app or a website shared this with Crier. It isn’t saved or uploaded unless you add it.</Text>
        {text !== '' && (
          <Text size="sm" lineClamp={6} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {text}
          </Text>
        )}
        {files.length > 0 && (
          <List size="sm" aria-label={count(files.length, 'file')}>
            {files.map((file, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: phones give several photos the same name, and the list never changes.
              <List.Item key={index} style={{ overflowWrap: 'anywhere' }}>
                {file.name}
              </List.Item>
            ))}
          </List>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Discard
          </Button>
          <Button data-autofocus onClick={add}>
            Add to post
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
