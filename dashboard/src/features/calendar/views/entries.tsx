import { SlotGhost } from '../adding/slot-ghost.tsx';
import { PostTile } from '../moving/post-tile.tsx';
import type { Entry } from './entries-of.ts';

/** The tiles of a day or hour. */
export const Entries = ({ entries }: { entries: readonly Entry[] }) =>
  entries.map((entry) =>
    'post' in entry ? <PostTile key={entry.key} post={entry.post} /> : <SlotGhost key={entry.key} slot={entry.slot} />,
  );
