import {
  type Icon,
  IconBookmark,
  IconChartBar,
  IconDots,
  IconHeart,
  IconMessageCircle,
  IconRepeat,
  IconSend,
  IconShare2,
  IconStar,
} from '@tabler/icons-react';
import { ChannelAvatar, channelName } from '../../../components/channels/avatar.tsx';
import { Author } from './author.tsx';
import { LinkCard } from './link-card.tsx';
import { MediaGrid } from './media-grid.tsx';
import { PostText } from './post-text.tsx';
import type { PreviewProps } from './preview.ts';
import classes from './previews.module.css';

/** Networks with short posts and threads. They differ in the actions below a post. */

export const XPreview = (props: PreviewProps) => (
  <Microblog {...props} foldAt={280} actions={[IconMessageCircle, IconRepeat, IconHeart, IconChartBar, IconBookmark]} />
);
export const ThreadsPreview = (props: PreviewProps) => (
  <Microblog {...props} actions={[IconHeart, IconMessageCircle, IconRepeat, IconSend]} handlePrefix="" maxMedia={10} />
);
export const BlueskyPreview = (props: PreviewProps) => (
  <Microblog {...props} actions={[IconMessageCircle, IconRepeat, IconHeart, IconDots]} />
);
export const MastodonPreview = (props: PreviewProps) => (
  <Microblog {...props} actions={[IconMessageCircle, IconRepeat, IconStar, IconBookmark, IconShare2]} />
);

function Microblog({
  channel,
  parts,
  media,
  actions,
  foldAt,
  handlePrefix = '@',
  maxMedia = 4,
}: PreviewProps & { actions: readonly Icon[]; foldAt?: number; handlePrefix?: string; maxMedia?: number }) {
  return parts.map((part, index) => {
    const files = index === 0 ? media : [];
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by position only.
      <div key={index} className={classes.thread} data-continues={index < parts.length - 1 || undefined}>
        <ChannelAvatar channel={channel} size={40} />
        <div className={classes.body}>
          <div className={classes.headline}>
            <Author channel={channel} avatar={false} line={`${handlePrefix}${channelName(channel)}`} time="now" />
            {parts.length > 1 && (
              <span className={classes.number}>
                {index + 1}/{parts.length}
              </span>
            )}
          </div>
          <PostText text={part} foldAt={foldAt} />
          <MediaGrid media={files} max={maxMedia} />
          <LinkCard text={part} media={files} />
          <Actions icons={actions} />
        </div>
      </div>
    );
  });
}

export const Actions = ({ icons }: { icons: readonly Icon[] }) => (
  <div className={classes.actions} aria-hidden>
    {icons.map((Icon, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the icons never change.
      <Icon key={index} size={17} stroke={1.5} />
    ))}
  </div>
);
