import type { ApiKey } from '@crier/client';
import { Button, Modal, NativeSelect, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogButtons } from '../../../components/dialog-buttons.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { crier } from '../../../lib/api.ts';
import { keys } from '../../../lib/query-keys.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatDateTime } from '../../../lib/time/time.ts';
import { isComplete, KeyFields, type KeyValues } from './key-fields.tsx';
import { expiresIn, expiries, readAddresses } from './scopes.ts';

/** Changes the name and the rules of a key. The key itself stays the same. */
export function EditDialog({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  return (
    <Modal opened={apiKey !== null} onClose={onClose} title="Edit key">
      {apiKey && <EditForm apiKey={apiKey} onDone={onClose} />}
    </Modal>
  );
}

function EditForm({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const client = useQueryClient();
  const preferences = useTimePreferences();
  const { name, scopes, allowedAddresses, expiresAt } = apiKey;
  const [values, setValues] = useState<KeyValues>({ name, scopes, addresses: allowedAddresses.join(', ') });
  const current = { value: expiresAt ?? '', label: expiresAt ? formatDateTime(expiresAt, preferences) : 'Never' };
  const [expiry, setExpiry] = useState(current.value);
  const saving = useMutation({
    mutationFn: () =>
      crier.updateApiKey({
        keyId: apiKey._id,
        name: values.name.trim(),
        scopes: [...values.scopes],
        ...(expiry !== current.value && { expiresAt: expiresIn(expiry) }),
        allowedAddresses: readAddresses(values.addresses),
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.keys });
      onDone();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Stack>
        <KeyFields values={values} onChange={setValues} />
        <NativeSelect
          label="Expires"
          data={expiresAt ? [current, ...expiries] : expiries}
          value={expiry}
          onChange={(event) => setExpiry(event.currentTarget.value)}
        />
        {saving.error && <ErrorState error={saving.error} />}
        <DialogButtons>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={saving.isPending} disabled={!isComplete(values)}>
            Save
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  );
}
