import type { Connection } from '@crier/client';
import { ChannelAvatar, channelName } from '../../components/channel-avatar.tsx';
import classes from './previews.module.css';

/** Who posts: name, handle, and now. */
export function Author({ channel, line, avatar = true }: { channel: Connection; line?: string; avatar?: boolean }) {
  return (
    <div className={classes.author}>
      {avatar && <ChannelAvatar channel={channel} size={40} />}
      <div className={classes.names}>
        <strong dir="auto">{channel.displayName || channelName(channel)}</strong>
        <span className={classes.dimmed}>{line ?? `${channelName(channel)} · now`}</span>
      </div>
    </div>
  );
}
