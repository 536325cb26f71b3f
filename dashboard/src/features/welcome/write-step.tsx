import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useRef } from 'react';

export function WriteStep({
  text,
  isDone,
  onChange,
  onContinue,
}: {
  text: string;
  isDone: boolean;
  onChange: (text: string) => void;
  onContinue: () => void;
}) {
  const isTouched = useRef(false);
  const isEmpty = text.trim() === '';
  if (isDone) {
    return (
      <Text dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
        {text}
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
      <Group justify="flex-end">
        <Button disabled={isEmpty} onClick={onContinue}>
          Continue
        </Button>
      </Group>
    </Stack>
  );
}
