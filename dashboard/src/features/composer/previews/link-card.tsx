import { IconWorld } from '@tabler/icons-react';
import { linkIn, type PreviewMedia } from './preview.ts';
import classes from './previews.module.css';

/** A placeholder for the network's link card, whose content is unknown. */
export function LinkCard({ text, media }: { text: string; media: readonly PreviewMedia[] }) {
  const link = media.length === 0 ? linkIn(text) : null;
  if (!link) return null;
  return (
    <div className={classes.card}>
      <div className={classes.cardPicture}>
        <IconWorld size={28} stroke={1.2} aria-hidden />
      </div>
      <div className={classes.cardText}>
        <strong>{link.hostname}</strong>
        <span className={classes.dimmed}>The network adds the page’s title and image.</span>
      </div>
    </div>
  );
}
