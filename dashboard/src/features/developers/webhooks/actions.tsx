import type { Webhook } from '@crier/client';
import { Button, Group, Modal, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { notifyError } from '../../../components/notify.tsx';
import { crier } from '../../../lib/api.ts';
import { keys } from '../../../lib/query-keys.ts';
import { isEventName } from './events.ts';
import { type WebhookFields, WebhookForm } from './form.tsx';
import { SecretNote } from './secret-note.tsx';

/** All four fit on one line on a phone. */
const padding = { base: 'xs', xs: 'md' };

type Dialog = 'edit' | 'secret' | 'delete' | null;

/** The actions of a webhook, with their dialogs. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const client = useQueryClient();
  const [dialog, setDialog] = useState<Dialog>(null);
  const close = () => setDialog(null);
  const test = useMutation({
    mutationFn: () => crier.testWebhook({ webhookId: webhook._id }),
    onSuccess: () => {
      notifications.show({ message: 'Test event queued. The result appears under “Deliveries”.', withBorder: true });
      void client.invalidateQueries({ queryKey: keys.webhook(webhook._id) });
    },
    onError: (error) => notifyError('Couldn’t send the test', error),
  });
  return (
    <>
      <Group gap="xs">
        <Button px={padding} onClick={() => test.mutate()} loading={test.isPending}>
          Send test
        </Button>
        <Button px={padding} variant="default" onClick={() => setDialog('edit')}>
          Edit
        </Button>
        <Button px={padding} variant="default" onClick={() => setDialog('secret')}>
          New secret
        </Button>
        <Button px={padding} variant="light" color="red" onClick={() => setDialog('delete')}>
          Delete
        </Button>
      </Group>
      <EditDialog webhook={webhook} opened={dialog === 'edit'} onClose={close} />
      <SecretDialog webhook={webhook} opened={dialog === 'secret'} onClose={close} />
      <DeleteDialog webhook={webhook} opened={dialog === 'delete'} onClose={close} />
    </>
  );
}

interface DialogProps {
  webhook: Webhook;
  opened: boolean;
  onClose: () => void;
}

function EditDialog({ webhook, opened, onClose }: DialogProps) {
  const client = useQueryClient();
  const update = useMutation({
    mutationFn: (fields: WebhookFields) => crier.updateWebhook({ webhookId: webhook._id, ...fields }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.webhooks });
      onClose();
    },
  });
  const { name, url, events, isActive } = webhook;
  return (
    <Modal opened={opened} onClose={onClose} title="Edit webhook" closeButtonProps={{ 'aria-label': 'Close' }}>
      <WebhookForm
        start={{ name, url, events: events.filter(isEventName), isActive }}
        submit="Save"
        isRunning={update.isPending}
        error={update.error}
        onSubmit={update.mutate}
        onCancel={onClose}
      />
    </Modal>
  );
}

function SecretDialog({ webhook, opened, onClose }: DialogProps) {
  const renew = useMutation({ mutationFn: () => crier.regenerateWebhookSecret({ webhookId: webhook._id }) });
  const close = () => {
    onClose();
    renew.reset();
  };
  if (renew.data) {
    return (
      <Modal
        opened={opened}
        onClose={close}
        title="New secret"
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <SecretNote secret={renew.data.secret} onDone={close} />
      </Modal>
    );
  }
  return (
    <ConfirmDialog
      title="Create new secret?"
      confirm="Create new secret"
      opened={opened}
      action={renew}
      onClose={onClose}
    >
      <Text size="sm">The current secret stops working. Update your server with the new one.</Text>
    </ConfirmDialog>
  );
}

function DeleteDialog({ webhook, opened, onClose }: DialogProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => crier.deleteWebhook({ webhookId: webhook._id }),
    onSuccess: async () => {
      await navigate({ to: '/developers/webhooks' });
      await client.invalidateQueries({ queryKey: keys.webhooks });
    },
  });
  return (
    <ConfirmDialog title="Delete this webhook?" confirm="Delete" opened={opened} action={remove} onClose={onClose}>
      <Text size="sm" dir="auto">
        {webhook.name} stops receiving events, and its delivery history is deleted. This can’t be undone.
      </Text>
    </ConfirmDialog>
  );
}
