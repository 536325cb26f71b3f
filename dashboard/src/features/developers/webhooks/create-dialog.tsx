import { Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { crier } from '../../../lib/api.ts';
import { keys } from '../../../lib/query-keys.ts';
import { newWebhook, type WebhookFields, WebhookForm } from './form.tsx';
import { SecretNote } from './secret-note.tsx';

/** Creates a webhook and shows its secret once. */
export function CreateWebhookDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const [secret, setSecret] = useState<string | null>(null);
  const create = useMutation({
    mutationFn: async ({ isActive, ...fields }: WebhookFields) => {
      const { webhook } = await crier.createWebhook(fields);
      setSecret(webhook.secret);
      if (!isActive) await crier.updateWebhook({ webhookId: webhook._id, isActive });
    },
    onSettled: () => client.invalidateQueries({ queryKey: keys.webhooks }),
  });
  const close = () => {
    onClose();
    create.reset();
    setSecret(null);
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={secret ? 'Webhook secret' : 'Create webhook'}
      closeOnClickOutside={!secret}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {secret ? (
        <SecretNote secret={secret} onDone={close} />
      ) : (
        <WebhookForm
          start={newWebhook}
          submit="Create webhook"
          isRunning={create.isPending}
          error={create.error}
          onSubmit={create.mutate}
          onCancel={close}
        />
      )}
    </Modal>
  );
}
