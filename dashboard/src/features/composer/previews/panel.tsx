import type { Connection, Media } from '@crier/client';
import { Group, Skeleton, Text, Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { lazy, memo, Suspense } from 'react';
import { ChannelAvatar, channelName } from '../../../components/channels/avatar.tsx';
import { pathOf } from '../../../lib/files/media-path.ts';
import { platformName, platformOf } from '../../../lib/platform-name.ts';
import { type Draft, textFor } from '../draft.ts';
import { coverIn } from '../media/covers.ts';
import type { Upload } from '../media/use-uploads.ts';
import { textOn } from '../validation/checked-texts.ts';
import type { Validation } from '../validation/use-validation.ts';
import { type PreviewMedia, previewOf } from './preview.ts';
import classes from './previews.module.css';

const NetworkPreview = lazy(() => import('./network-preview.tsx'));

/** "Preview": the post on one of the selected channels. */
export const PreviewPanel = memo(function PreviewPanel({
  draft,
  chosen,
  validation,
  media,
  ownMedia,
  uploads,
  previewed,
  onPreview,
}: {
  draft: Draft;
  chosen: readonly Connection[];
  validation: Validation;
  media: readonly Media[];
  /** Of channels with separate files. */
  ownMedia: Readonly<Record<string, readonly Media[]>>;
  uploads: readonly Upload[];
  /** The channel that was chosen here, or whose text has the focus. */
  previewed: string | null;
  onPreview: (platformId: string) => void;
}) {
  const channel = chosen.find(({ platformId }) => platformId === previewed) ?? chosen[0];
  const own = channel && ownMedia[channel.platformId];
  const files = own ?? media;
  const uploading = uploads.filter(({ about }) => about.channel === (own ? channel.platformId : undefined));
  return (
    <section aria-label="Preview">
      {!channel && <NothingYet />}
      {channel && (
        <>
          {chosen.length > 1 && <Switcher chosen={chosen} shown={channel.platformId} onShow={onPreview} />}
          <div className={classes.frame}>
            <Suspense fallback={<Skeleton h={96} />}>
              <NetworkPreview
                channel={channel}
                parts={partsOf(draft, validation, channel.platformId)}
                media={[...files.map(previewOf), ...uploading.flatMap(uploadPreview)].map((file) => ({
                  ...file,
                  poster: coverOf(draft, channel),
                }))}
                settings={settingsOf(draft, channel)}
              />
            </Suspense>
          </div>
          <Text size="xs" c="dimmed" mt="xs">
            Based on what Crier sends to {platformName(platformOf(channel.platformId))}. Fonts, link cards and cropping
            may differ.
          </Text>
        </>
      )}
    </section>
  );
});

const settingsOf = ({ settings }: Draft, { platformId }: Connection) => settings[platformOf(platformId)] ?? {};

function coverOf(draft: Draft, channel: Connection): string | undefined {
  const url = coverIn(platformOf(channel.platformId), settingsOf(draft, channel));
  return url === null ? undefined : pathOf(url);
}

/** The server's split. A text not yet validated is shown unsplit. */
function partsOf(draft: Draft, validation: Validation, channel: string): readonly string[] {
  const checked = textOn(validation, channel);
  const text = textFor(draft, channel);
  if (!checked || (checked.parts.length < 2 && validation.state !== 'current')) return [text];
  return checked.parts;
}

const uploadPreview = ({ id, name, type, previewUrl, about }: Upload): PreviewMedia[] =>
  previewUrl && about.replaces === undefined
    ? [{ id, name, url: previewUrl, altText: '', kind: type.startsWith('video/') ? 'video' : 'image' }]
    : [];

function Switcher({
  chosen,
  shown,
  onShow,
}: {
  chosen: readonly Connection[];
  shown: string;
  onShow: (platformId: string) => void;
}) {
  return (
    <Group gap={8} mb="sm" role="group" aria-label="Preview on" className={classes.switcher}>
      {chosen.map((channel) => {
        const label = `${platformName(platformOf(channel.platformId))}: ${channelName(channel)}`;
        return (
          <Tooltip key={channel.platformId} label={label}>
            <UnstyledButton
              className={classes.tab}
              aria-pressed={channel.platformId === shown}
              onClick={() => onShow(channel.platformId)}
            >
              <ChannelAvatar channel={channel} size={32} />
              <VisuallyHidden>Preview on {label}</VisuallyHidden>
            </UnstyledButton>
          </Tooltip>
        );
      })}
    </Group>
  );
}

const NothingYet = () => (
  <Group className={classes.frame} gap="sm" wrap="nowrap">
    <IconEye size={20} stroke={1.5} aria-hidden />
    <Text size="sm" c="dimmed">
      Choose a channel to see a preview.
    </Text>
  </Group>
);
