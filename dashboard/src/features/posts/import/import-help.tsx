import { Button, Code, List, Stack, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';

const example = `text,to,at,media,alt,comment,thread
"Hello, world",mastodon;bluesky,2030-03-04 09:00,https://example.com/harbour.jpg,The harbour at dawn,Read on: https://example.com,
The first part,x,2030-03-05 09:00,,,,The second part;The third part
An idea without a time,linkedin,,,,,
`;

const meanings = [
  ['text', 'The post text. The only required column.'],
  ['to', 'Channels, by network or handle. With several accounts on a network, use both: mastodon:ada.'],
  ['at', 'Date and time, such as 2030-03-04 09:00 or in your date format, or next-slot.'],
  ['media', 'URLs of images and videos, starting with https://.'],
  ['alt', 'Alt text for each file, in the same order.'],
  ['comment', 'Comments to add after the post.'],
  ['thread', 'Further parts of the thread, or “true” to make each paragraph a part.'],
] as const;

/** The file format. */
export function ImportHelp() {
  return (
    <Stack gap="sm" component="section" aria-labelledby="import-columns" maw={720}>
      <Title order={2} size="h4" id="import-columns">
        Columns
      </Title>
      <List spacing={6} size="sm">
        {meanings.map(([name, meaning]) => (
          <List.Item key={name}>
            <Code>{name}</Code> {meaning}
          </List.Item>
        ))}
      </List>
      <Text size="sm" c="dimmed">
        If your columns have other names, choose what each one contains. Separate list items with semicolons. Crier
        checks all rows before it imports any. Importing the same file twice within a day creates no duplicates.
      </Text>
      <Button
        variant="default"
        w="fit-content"
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => save('posts.csv', example)}
      >
        Download example
      </Button>
    </Stack>
  );
}

function save(name: string, content: string) {
  const address = URL.createObjectURL(new Blob([content], { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
