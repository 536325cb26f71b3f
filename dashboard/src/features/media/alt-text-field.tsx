import type { ListedMedia } from '@crier/client';
import { Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { describe } from '../../components/error-state.tsx';
import { crier } from '../../lib/api.ts';
import { keys } from '../../lib/query-keys.ts';

/** Describes the file for people who can't see it. Saved on blur. */
export function AltTextField({ media }: { media: ListedMedia }) {
  const client = useQueryClient();
  const stored = media.altText ?? '';
  const [text, setText] = useState(stored);
  useEffect(() => setText(stored), [stored]);
  const save = useMutation({
    mutationFn: (altText: string) => crier.updateMedia({ mediaId: media._id, altText: altText || null }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.media }),
  });
  return (
    <Textarea
      label="Alt text"
      size="xs"
      dir="auto"
      autosize
      minRows={1}
      maxRows={4}
      maxLength={1500}
      placeholder="Describe what it shows"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => {
        if (text.trim() !== stored) save.mutate(text.trim());
      }}
      error={save.error ? describe(save.error).message : undefined}
      disabled={media.status === 'deleting'}
    />
  );
}
