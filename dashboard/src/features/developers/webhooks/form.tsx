import { Button, Checkbox, Group, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ErrorState } from '../../../components/error-state.tsx';
import { type EventName, isEventName, webhookEvents } from './events.ts';

export interface WebhookFields {
  name: string;
  url: string;
  events: EventName[];
  isActive: boolean;
}

export const newWebhook: WebhookFields = {
  name: '',
  url: '',
  events: ['post.published', 'post.failed'],
  isActive: true,
};

/** The form to create or edit a webhook. */
export function WebhookForm({
  start,
  submit,
  isRunning,
  error,
  onSubmit,
  onCancel,
}: {
  start: WebhookFields;
  submit: string;
  isRunning: boolean;
  error: unknown;
  onSubmit: (fields: WebhookFields) => void;
  onCancel: () => void;
}) {
  const [fields, setFields] = useState(start);
  const change = (part: Partial<WebhookFields>) => setFields((before) => ({ ...before, ...part }));
  const isComplete = fields.name.trim() && fields.url.trim() && fields.events.length > 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({ ...fields, name: fields.name.trim(), url: fields.url.trim() });
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          required
          dir="auto"
          placeholder="Team chat"
          value={fields.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          data-autofocus
        />
        <TextInput
          label="URL"
          description="Where events are sent. Must start with https://. The Webhooks page explains how to test on your machine."
          required
          type="url"
          placeholder="https://example.com/hooks/crier"
          value={fields.url}
          onChange={(event) => change({ url: event.currentTarget.value })}
        />
        <Checkbox.Group
          label="Events"
          description="Which events to send."
          value={fields.events}
          onChange={(values) => change({ events: values.filter(isEventName) })}
        >
          <Stack gap="xs" mt="xs">
            {webhookEvents.map(({ value, about }) => (
              <Checkbox key={value} value={value} label={value} description={about} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Switch
          label="Enabled"
          checked={fields.isActive}
          onChange={(event) => change({ isActive: event.currentTarget.checked })}
        />
        {error !== null && error !== undefined && <ErrorState error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isRunning} disabled={!isComplete}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
