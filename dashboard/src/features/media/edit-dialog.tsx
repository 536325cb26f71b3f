import type { ListedMedia } from '@crier/client';
import { Button, Modal, Stack, TagsInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogButtons } from '../../components/dialog-buttons.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { crier } from '../../lib/api.ts';
import { keys } from '../../lib/query-keys.ts';
import { useKnownLabels } from './use-known-labels.ts';

/** Changes the name of a file and its labels. */
export default function EditDialog({ media, onClose }: { media: ListedMedia; onClose: () => void }) {
  const client = useQueryClient();
  const known = useKnownLabels();
  const [fileName, setFileName] = useState(media.fileName);
  const [labels, setLabels] = useState(media.labels);
  const save = useMutation({
    mutationFn: () => crier.updateMedia({ mediaId: media._id, fileName, labels }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.media });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Rename and label">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack>
          {save.error && <ErrorState error={save.error} />}
          <TextInput
            label="File name"
            data-autofocus
            required
            maxLength={255}
            dir="auto"
            value={fileName}
            onChange={({ currentTarget }) => setFileName(currentTarget.value)}
          />
          <TagsInput
            label="Labels"
            description="Up to 10, to find the file by. They aren’t published."
            maxTags={10}
            data={known}
            value={labels}
            onChange={(next) => setLabels(next.map((label) => label.trim().slice(0, 50)).filter(Boolean))}
          />
          <DialogButtons>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending} disabled={fileName.trim() === ''}>
              Save
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Modal>
  );
}
