import { Button, Code, List, Stack, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';

const example = `text,to,at,media,alt,comment,thread
"Hello, world",mastodon;bluesky,2030-03-04 09:00,https://example.com/harbour.jpg,The harbour at dawn,Read on: https://example.com,
The first part,x,2030-03-05 09:00,,,,The second part;The third part
An idea without a time,linkedin,,,,,
`;

const meanings = [
  ['text', 'The text of the post. The only column that must be there.'],
  ['to', 'The channels: networks or handles. Two accounts on one network are told apart as mastodon:ada.'],
  ['at', 'Date and time, such as 2030-03-04 09:00, or next-slot.'],
  ['media', 'Addresses of images and videos, beginning with https://.'],
  ['alt', 'What each of them shows, in the same order.'],
  ['comment', 'Comments that follow the post.'],
  ['thread', 'Further parts of a thread, or “true”: each paragraph of the text is a part.'],
] as const;

/** What the file has to look like. */
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
        Lists have a semicolon between their items. All rows are checked before the first is stored. A file that is
        imported twice within a day makes each post once.
      </Text>
      <Button
        variant="default"
        w="fit-content"
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => save('posts.csv', example)}
      >
        Download an example
      </Button>
    </Stack>
  );
}

function save(name: string, content: string) {
  const address = URL.createObjectURL(new Blob([content], { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
