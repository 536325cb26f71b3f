import { Button, Group, Stack, Text, Textarea } from '@mantine/core';

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
        label="Post text"
        description="Say something. You can change it."
        dir="auto"
        autosize
        minRows={3}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button disabled={text.trim() === ''} onClick={onContinue}>
          Continue
        </Button>
      </Group>
    </Stack>
  );
}
