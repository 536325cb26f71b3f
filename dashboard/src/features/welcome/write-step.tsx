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
        // What is written first replaces the suggestion.
        onFocus={({ currentTarget }) => {
          if (!isTouched.current) currentTarget.select();
          isTouched.current = true;
        }}
        label="Post text"
        description="Write what you like, or keep this for a first try."
        dir="auto"
        autosize
        minRows={3}
        error={isEmpty && 'Write something. A post needs a text.'}
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
