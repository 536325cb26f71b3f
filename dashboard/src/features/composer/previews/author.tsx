import type { Connection } from '@crier/client';
import { ChannelAvatar, channelName } from '../../../components/channels/avatar.tsx';
import classes from './previews.module.css';

/** The author's name with a line below it. `time` is never truncated. */
export function Author({
  channel,
  line,
  time,
  avatar = true,
}: {
  channel: Connection;
  line: string;
  time?: string;
  avatar?: boolean;
}) {
  return (
    <div className={classes.author}>
      {avatar && <ChannelAvatar channel={channel} size={40} />}
      <div className={classes.names}>
        <strong dir="auto">{channel.displayName || channelName(channel)}</strong>
        <span className={classes.below}>
          <span className={classes.line}>{line}</span>
          {time && <span> · {time}</span>}
        </span>
      </div>
    </div>
  );
}
