import { Text } from '@mantine/core';
import type { ComponentType } from 'react';
import { platformOf } from '../../../lib/platform-name.ts';
import { FacebookPreview, LinkedinPreview, TelegramPreview } from './feeds.tsx';
import { BlueskyPreview, MastodonPreview, ThreadsPreview, XPreview } from './microblogs.tsx';
import type { PreviewProps } from './preview.ts';
import { InstagramPreview, TiktokPreview, YoutubePreview } from './visual-feeds.tsx';

/** The post as the network shows it. */
export default function NetworkPreview(props: PreviewProps) {
  const Preview = previews[platformOf(props.channel.platformId)] ?? FacebookPreview;
  if (props.parts.join('') === '' && props.media.length === 0)
    return <Text c="dimmed">Start writing to see a preview.</Text>;
  return <Preview {...props} />;
}

const previews: Record<string, ComponentType<PreviewProps>> = {
  bluesky: BlueskyPreview,
  facebook: FacebookPreview,
  instagram: InstagramPreview,
  linkedin: LinkedinPreview,
  mastodon: MastodonPreview,
  telegram: TelegramPreview,
  threads: ThreadsPreview,
  tiktok: TiktokPreview,
  twitter: XPreview,
  youtube: YoutubePreview,
};
