import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '../http/json.ts';
import type { Row } from './row.ts';

export interface Media {
  readonly platform: string;
  readonly id: string;
  readonly accountId: string;
  readonly kind: 'image' | 'gif' | 'video' | 'audio' | 'document';
  /** Derived from the bytes, not from what the client states. */
  readonly type: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly description: string | null;
  /** The id of the post that shows it. */
  readonly postId: string | null;
  /** When processing ends. */
  readonly readyAt: number;
  /** Whether processing ends in failure. */
  readonly fails: boolean;
  readonly data: JsonObject;
  readonly createdAt: number;
}

export type NewMedia = Omit<Media, 'postId' | 'createdAt'>;
export type MediaState = 'processing' | 'ready' | 'failed';

const columns = `network as platform, id, account_id as accountId, kind, type, bytes, sha256, description, post_id as postId,
  ready_at as readyAt, fails, data, created_at as createdAt`;

export function createMedia(db: DatabaseSync, now: () => number) {
  const insert = db.prepare('insert into media values (?, ?, ?, ?, ?, ?, ?, ?, null, ?, ?, ?, ?)');
  const byId = db.prepare(`select ${columns} from media where network = ? and id = ?`);
  const byContent = db.prepare(`select ${columns} from media where sha256 = ? limit 1`);
  const update = db.prepare('update media set description = ?, post_id = ?, data = ? where network = ? and id = ?');
  const remove = db.prepare('delete from media where network = ? and id = ?');

  return {
    add(media: NewMedia): Media {
      const createdAt = now();
      const { platform, id, accountId, kind, type, bytes, sha256, description, readyAt, fails, data } = media;
      const json = JSON.stringify(data);
      insert.run(
        platform,
        id,
        accountId,
        kind,
        type,
        bytes,
        sha256,
        description,
        readyAt,
        Number(fails),
        json,
        createdAt,
      );
      return { ...media, postId: null, createdAt };
    },
    find: (platform: string, id: string): Media | undefined => fromRow(byId.get(platform, id)),
    findByContent: (sha256: string): Media | undefined => fromRow(byContent.get(sha256)),
    /** Computed from the clock, without a timer, so that it is the same after a restart. */
    state(media: Media): MediaState {
      if (media.readyAt > now()) return 'processing';
      return media.fails ? 'failed' : 'ready';
    },
    change(media: Media, change: Partial<Pick<Media, 'description' | 'postId' | 'data'>>): Media {
      const changed = { ...media, ...change };
      update.run(changed.description, changed.postId, JSON.stringify(changed.data), media.platform, media.id);
      return changed;
    },
    remove: (media: Media): void => void remove.run(media.platform, media.id),
  };
}

function fromRow(row: unknown): Media | undefined {
  if (row === undefined) return undefined;
  const stored = row as Row<Media, 'data', 'fails'>;
  return { ...stored, fails: stored.fails === 1, data: JSON.parse(stored.data) };
}
