import type { ApiKey } from '@crier/client';
import { Button, Modal, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogButtons } from '../../../components/dialog-buttons.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { crier } from '../../../lib/api.ts';
import { keys } from '../../../lib/query-keys.ts';
import { isComplete, KeyFields, type KeyValues } from './key-fields.tsx';
import { readAddresses } from './scopes.ts';

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
  const { name, scopes, allowedAddresses } = apiKey;
  const [values, setValues] = useState<KeyValues>({ name, scopes, addresses: allowedAddresses.join(', ') });
  const saving = useMutation({
    mutationFn: () =>
      crier.updateApiKey({
        keyId: apiKey._id,
        name: values.name.trim(),
        scopes: [...values.scopes],
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
