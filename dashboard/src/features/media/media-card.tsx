import type { ListedMedia } from '@crier/client';
import { AspectRatio, Badge, Card, Center, Stack, Text } from '@mantine/core';
import { IconFileText, IconPhotoOff, IconVideo } from '@tabler/icons-react';
import { useState } from 'react';
import { AnchorLink } from '../../components/links.tsx';
import { thumbnailOf } from '../../lib/media-path.ts';
import { count, firstWords } from '../../lib/post-summary.ts';
import { AltTextField } from './alt-text-field.tsx';
import classes from './media-card.module.css';
import { factsOf } from './media-facts.ts';

/** One file: thumbnail, facts, alt text and the posts that use it. */
export function MediaCard({ media }: { media: ListedMedia }) {
  return (
    <Card component="li" withBorder padding="sm" style={{ listStyle: 'none' }}>
      <Card.Section>
        <AspectRatio ratio={4 / 3} className={classes.frame}>
          <Picture media={media} />
        </AspectRatio>
      </Card.Section>
      <Stack gap={6} mt="sm">
        <Text fw={600} size="sm" truncate title={media.fileName} dir="auto">
          {media.fileName}
        </Text>
        <Text size="xs" c="dimmed">
          {factsOf(media)}
        </Text>
        <State status={media.status} />
        {media.type !== 'document' && <AltTextField media={media} />}
        <UsedBy posts={media.posts} />
      </Stack>
    </Card>
  );
}

function Picture({ media: { type, url, altText } }: { media: ListedMedia }) {
  const [isBroken, setBroken] = useState(false);
  if (type === 'image' && url && !isBroken) {
    return (
      <img
        src={thumbnailOf(url)}
        alt={altText ?? ''}
        loading="lazy"
        decoding="async"
        className={classes.picture}
        onError={() => setBroken(true)}
      />
    );
  }
  const Icon = type === 'video' ? IconVideo : type === 'document' ? IconFileText : IconPhotoOff;
  return (
    <Center c="dimmed">
      <Icon size={36} stroke={1.4} aria-hidden />
    </Center>
  );
}

const states = {
  uploading: { word: 'Processing', color: 'blue' },
  failed: { word: 'Failed', color: 'red' },
  deleting: { word: 'Deleting', color: 'gray' },
};

function State({ status }: { status: ListedMedia['status'] }) {
  if (status === 'ready') return null;
  const { word, color } = states[status];
  return (
    <Badge color={color} variant="light" tt="none" w="fit-content">
      {word}
    </Badge>
  );
}

const shownPosts = 3;

function UsedBy({ posts }: { posts: ListedMedia['posts'] }) {
  if (posts.length === 0) {
    return (
      <Text size="xs" c="dimmed">
        Not used in any post
      </Text>
    );
  }
  return (
    <Text size="xs" component="div">
      Used in{' '}
      {posts.slice(0, shownPosts).map(({ postGroupId, excerpt }, index) => (
        <span key={postGroupId}>
          {index > 0 && ', '}
          <AnchorLink to="/posts/$postGroupId" params={{ postGroupId }} size="xs" dir="auto">
            {firstWords(excerpt, 30)}
          </AnchorLink>
        </span>
      ))}
      {posts.length > shownPosts && ` and ${count(posts.length - shownPosts, 'other')}`}
    </Text>
  );
}
