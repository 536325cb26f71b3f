import { IconEye, IconMessageCircle, IconRepeat, IconSend, IconShare3, IconThumbUp } from '@tabler/icons-react';
import { channelName } from '../../../components/channels/avatar.tsx';
import { Author } from './author.tsx';
import { LinkCard } from './link-card.tsx';
import { MediaGrid } from './media-grid.tsx';
import { Actions } from './microblogs.tsx';
import { PostText } from './post-text.tsx';
import type { PreviewProps } from './preview.ts';
import classes from './previews.module.css';

/** Networks with long single posts. */

export function LinkedinPreview({ channel, parts, media, settings }: PreviewProps) {
  const text = parts.join('\n\n');
  return (
    <>
      <Author channel={channel} line="now" />
      <PostText text={plainMentions(text)} foldAt={210} />
      {settings.repostEnabled === true ? (
        <div className={classes.quoted}>
          The post {String(settings.repostParentUrn || 'from the options')} appears here. Crier can’t preview its
          content.
        </div>
      ) : (
        <>
          <MediaGrid media={media} max={5} />
          <LinkCard text={text} media={media} />
        </>
      )}
      <Actions icons={[IconThumbUp, IconMessageCircle, IconRepeat, IconSend]} />
    </>
  );
}

export function FacebookPreview({ channel, parts, media }: PreviewProps) {
  const text = parts.join('\n\n');
  return (
    <>
      <Author channel={channel} line="Just now" />
      <PostText text={text} foldAt={477} />
      <MediaGrid media={media} max={5} />
      <LinkCard text={text} media={media} />
      <Actions icons={[IconThumbUp, IconMessageCircle, IconShare3]} />
    </>
  );
}

export function TelegramPreview({ channel, parts, media, settings }: PreviewProps) {
  const text = parts.join('\n\n');
  return (
    <div className={classes.bubble}>
      <MediaGrid media={media} max={10} />
      <strong className={classes.link} dir="auto">
        {channel.displayName || channelName(channel)}
      </strong>
      <PostText text={text} />
      {settings.disableWebPagePreview !== true && <LinkCard text={text} media={media} />}
      <span className={classes.time}>
        <IconEye size={14} aria-hidden /> 1 · now
      </span>
    </div>
  );
}

/** Shows `@{urn:…|Ben Harbour}` as the name. */
const plainMentions = (text: string) => text.replace(/@\{urn:[^|}]*\|([^}]*)\}/g, '@$1');
