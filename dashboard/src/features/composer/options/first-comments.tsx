import { Accordion, Button, Group, NumberInput, Stack, Text, Textarea } from '@mantine/core';
import { IconMessagePlus, IconMessages, IconTrash } from '@tabler/icons-react';
import { platformName } from '../../../lib/platform-name.ts';
import type { Comment } from '../draft.ts';
import type { Fields } from '../use-composer.ts';

const maxComments = 3;

/** "First comment": up to three comments on the published post. */
export function FirstComments({
  fields: { draft, change },
  platforms,
}: {
  fields: Fields;
  /** The selected networks that accept comments. Empty: comments from before are still shown. */
  platforms: readonly string[];
}) {
  const { comments } = draft;
  const set = (next: readonly Comment[]) => change({ type: 'comments', comments: next });
  const edit = (index: number, more: Partial<Comment>) =>
    set(comments.map((comment, at) => (at === index ? { ...comment, ...more } : comment)));
  const shown = comments.length === 0 ? [blank] : comments;
  return (
    <Accordion.Item value="comments">
      <Accordion.Control icon={<IconMessages size={18} stroke={1.6} aria-hidden />}>
        First comments{comments.length > 0 && ` (${comments.length})`}
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {platforms.length > 0
              ? `Added below the post on ${platforms.map(platformName).join(', ')}.`
              : 'None of the selected networks accepts comments, so these are not posted.'}
          </Text>
          {shown.map((comment, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: comments are identified by position only.
            <Stack key={index} gap="xs">
              <Textarea
                label={index === 0 ? 'First comment' : `Comment ${index + 1}`}
                autosize
                minRows={2}
                attributes={{ input: { dir: 'auto' } }}
                value={comment.text}
                onChange={({ currentTarget }) =>
                  comments.length === 0
                    ? set([{ ...blank, text: currentTarget.value }])
                    : edit(index, { text: currentTarget.value })
                }
              />
              <Group gap="sm" align="flex-end">
                <NumberInput
                  label={index === 0 ? 'Minutes after the post' : 'Minutes after the previous comment'}
                  min={0}
                  max={1440}
                  w={220}
                  value={comment.delaySeconds / 60}
                  disabled={comments.length === 0}
                  onChange={(minutes) => edit(index, { delaySeconds: Math.round(Number(minutes) * 60) || 0 })}
                />
                {comments.length > 0 && (
                  <Button
                    variant="subtle"
                    color="gray"
                    leftSection={<IconTrash size={16} aria-hidden />}
                    onClick={() => set(comments.filter((_, at) => at !== index))}
                  >
                    Remove
                  </Button>
                )}
              </Group>
            </Stack>
          ))}
          {comments.length > 0 && comments.length < maxComments && (
            <Button
              variant="default"
              leftSection={<IconMessagePlus size={16} aria-hidden />}
              onClick={() => set([...comments, blank])}
            >
              Add comment
            </Button>
          )}
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

const blank: Comment = { text: '', delaySeconds: 0, platforms: [] };
