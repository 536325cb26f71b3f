import type { Scope } from '@crier/client';
import { Button, Checkbox, Group, Modal, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyValue } from '../../../components/copy-value.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { crier } from '../../../lib/api.ts';
import { keys } from '../../../lib/query-keys.ts';
import { expiresIn, expiries, isScope, readAddresses, scopes } from './scopes.ts';

/** Creates a key and shows it once. */
export function CreateKeyDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [created, setCreated] = useState<string | null>(null);
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
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {created ? <NewKey value={created} onDone={close} /> : <KeyForm onCreated={setCreated} onCancel={close} />}
    </Modal>
  );
}

function NewKey({ value, onDone }: { value: string; onDone: () => void }) {
  return (
    <Stack>
      <Text size="sm">Copy this key now and keep it safe. You won’t see it again.</Text>
      <CopyValue value={value} name="API key" label="Copy key" />
      <Text size="sm">Try it with this call. It validates a post without storing it:</Text>
      <CopyValue value={firstCall(value)} name="First call" label="Copy call" />
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}

const firstCall = (key: string) => `curl -s ${window.location.origin}/api/v1/create-post \\
  -H 'x-service-key: ${key}' -H 'content-type: application/json' \\
  -d '{ "content": "Hello, world", "platforms": ["service-playground"], "publishNow": true }'`;

function KeyForm({ onCreated, onCancel }: { onCreated: (key: string) => void; onCancel: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>(scopes.map(({ value }) => value));
  const [days, setDays] = useState('');
  const [addresses, setAddresses] = useState('');
  const create = useMutation({
    mutationFn: () =>
      crier.createApiKey({
        name: name.trim(),
        scopes: [...chosen],
        expiresAt: expiresIn(days),
        allowedAddresses: readAddresses(addresses),
      }),
    onSuccess: ({ apiKey }) => {
      onCreated(apiKey.rawKey);
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
        <TextInput
          label="Name"
          description="Where you use this key, so you know which one to revoke."
          placeholder="Blog server"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Checkbox.Group
          label="Scopes"
          description="What this key can do."
          value={[...chosen]}
          onChange={(values) => setChosen(values.filter(isScope))}
        >
          <Stack gap="xs" mt="xs">
            {scopes.map(({ value, label, about }) => (
              <Checkbox key={value} value={value} label={label} description={about} />
            ))}
          </Stack>
        </Checkbox.Group>
        <NativeSelect
          label="Expires"
          data={expiries}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
        <Textarea
          label="Addresses"
          description="IP addresses and CIDR ranges that can use this key. Leave empty to allow any."
          placeholder="203.0.113.7, 2001:db8::/32"
          autosize
          minRows={1}
          maxRows={6}
          value={addresses}
          onChange={(event) => setAddresses(event.currentTarget.value)}
        />
        {create.error && <ErrorState error={create.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending} disabled={chosen.length === 0 || !name.trim()}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
