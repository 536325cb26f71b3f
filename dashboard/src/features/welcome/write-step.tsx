import type { Connection } from '@crier/client';
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useRef } from 'react';
import { networksOf } from './first-post.ts';
import { PictureField } from './picture-field.tsx';

/** The text and, for networks that need one, a picture. */
export function WriteStep({
  text,
  picture,
  pictureFor,
  isPictureNeeded,
  isDone,
  onChange,
  onPicture,
  onContinue,
}: {
  text: string;
  picture: File | null;
  /** Channels that publish the post only with a picture. */
  pictureFor: readonly Connection[];
  /** Whether there are no others. */
  isPictureNeeded: boolean;
  isDone: boolean;
  onChange: (text: string) => void;
  onPicture: (picture: File | null) => void;
  onContinue: () => void;
}) {
  const isTouched = useRef(false);
  const isEmpty = text.trim() === '';
  if (isDone) {
    return (
      <Text dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
        {text}
        {picture && ` (${picture.name})`}
      </Text>
    );
  }
  return (
    <Stack>
      <Textarea
        // Typing replaces the suggestion.
        onFocus={({ currentTarget }) => {
          if (!isTouched.current) currentTarget.select();
          isTouched.current = true;
        }}
        label="Post text"
        description="Write your own text, or keep this one."
        dir="auto"
        autosize
        minRows={3}
        error={isEmpty && 'Enter some text for your post.'}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {pictureFor.length > 0 && (
        <PictureField
          about={`${networksOf(pictureFor)} ${pictureFor.length === 1 ? 'needs' : 'need'} a picture with every post.`}
          picture={picture}
          onChange={onPicture}
        />
      )}
      <Group justify="flex-end">
        <Button disabled={isEmpty || (isPictureNeeded && !picture)} onClick={onContinue}>
          Continue
        </Button>
      </Group>
    </Stack>
  );
}
