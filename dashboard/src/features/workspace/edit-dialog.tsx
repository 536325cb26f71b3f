import type { WorkspaceUser } from '@crier/client';
import { Box, Button, Group, Input, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ColourChoice } from '../../components/colour-choice.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { crier } from '../../lib/api.ts';
import { brandColours, useBrandOf } from '../../lib/brands/use-brands.ts';
import { workspaceQuery } from '../../lib/brands/workspace.ts';
import { type Picture, PictureField } from './picture-field.tsx';

/** The name, the picture and the colour of a brand. */
export function EditDialog({ user, opened, onClose }: { user: WorkspaceUser; opened: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const brand = useBrandOf()({ userId: user._id });
  const [name, setName] = useState(user.displayName);
  const [picture, setPicture] = useState<Picture>('same');
  const [chosen, setColour] = useState(user.colour);
  const colour = chosen ?? brand?.colour;
  const saving = useMutation({
    mutationFn: async () => {
      const userId = user._id;
      if (picture === 'none') await crier.deleteWorkspaceUserAvatar({ userId });
      else if (picture !== 'same') await crier.setWorkspaceUserAvatar({ userId, image: picture.base64 });
      await crier.updateWorkspaceUser({ userId, displayName: name.trim(), ...(colour && { colour }) });
    },
    onSuccess: async () => {
      setPicture('same');
      await client.invalidateQueries({ queryKey: workspaceQuery.queryKey });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={`Edit ${user.displayName}`} centered>
      <form onSubmit={submit}>
        <Stack>
          {saving.error && <ErrorState error={saving.error} />}
          <TextInput
            label="Name"
            data-autofocus
            required
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {brand && <PictureField brand={brand} picture={picture} onChange={setPicture} />}
          <Input.Wrapper label="Colour" description="Marks this brand in the calendar and in lists." component="div">
            <Box mt={6}>
              <ColourChoice label="Colour" colours={brandColours} value={colour} onChange={setColour} />
            </Box>
          </Input.Wrapper>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={saving.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
