import type { Scope } from '@crier/client';
import { Button, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyValue } from '../../../components/copy-value.tsx';
import { DialogButtons } from '../../../components/dialog-buttons.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { crier } from '../../../lib/api.ts';
import { keys } from '../../../lib/query-keys.ts';
import { firstCall } from './first-call.ts';
import { FirstPost } from './first-post.tsx';
import { isComplete, KeyFields, type KeyValues } from './key-fields.tsx';
import { expiresIn, expiries, readAddresses, scopes } from './scopes.ts';

interface CreatedKey {
  rawKey: string;
  scopes: readonly Scope[];
}

/** Creates a key and shows it once. */
export function CreateKeyDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const close = () => {
    onClose();
    setCreated(null);
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={created ? 'Your new key' : 'Create key'}
      closeOnClickOutside={!created}
    >
      {created ? <NewKey created={created} onDone={close} /> : <KeyForm onCreated={setCreated} onCancel={close} />}
    </Modal>
  );
}

function NewKey({ created: { rawKey, scopes }, onDone }: { created: CreatedKey; onDone: () => void }) {
  const { about, command } = firstCall(rawKey, scopes, window.location.origin);
  return (
    <Stack>
      <Text size="sm">Copy this key now and keep it safe. You won’t see it again.</Text>
      <CopyValue value={rawKey} name="API key" label="Copy key" />
      <Text size="sm">Try it with this call. {about}</Text>
      <CopyValue value={command} name="First call" label="Copy call" />
      {scopes.includes('write') && <FirstPost rawKey={rawKey} />}
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}

const wide: KeyValues = { name: '', scopes: scopes.map(({ value }) => value), addresses: '' };

function KeyForm({ onCreated, onCancel }: { onCreated: (key: CreatedKey) => void; onCancel: () => void }) {
  const client = useQueryClient();
  const [values, setValues] = useState(wide);
  const [days, setDays] = useState('');
  const create = useMutation({
    mutationFn: () =>
      crier.createApiKey({
        name: values.name.trim(),
        scopes: [...values.scopes],
        expiresAt: expiresIn(days),
        allowedAddresses: readAddresses(values.addresses),
      }),
    onSuccess: ({ apiKey }) => {
      onCreated(apiKey);
      void client.invalidateQueries({ queryKey: keys.keys });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <Stack>
        <KeyFields values={values} onChange={setValues} />
        <NativeSelect
          label="Expires"
          data={expiries}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
        {create.error && <ErrorState error={create.error} />}
        <DialogButtons>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending} disabled={!isComplete(values)}>
            Create key
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  );
}
