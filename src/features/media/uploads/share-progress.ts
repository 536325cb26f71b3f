import { sql } from 'kysely';
import { z } from 'zod';
import type { App } from '../../../app.ts';
import type { ProgressEvent, UploadProgress } from './progress.ts';

const channel = 'upload_progress';
const Shared = z.tuple([
  z.string(),
  z.discriminatedUnion('event', [
    z.object({ event: z.literal('progress'), data: z.object({ percent: z.number() }) }),
    z.object({ event: z.literal('done'), data: z.object({ mediaId: z.string() }) }),
    z.object({ event: z.literal('error'), data: z.object({ code: z.string() }) }),
  ]),
]);

/**
 * Reports events to the boards of all processes, including this one, because an upload and its listener may be
 * connected to different ones. Events stay in order. An event that cannot be sent is lost: the outcome of an upload
 * is in the database.
 */
export function shareProgress({ db, listener, log }: Pick<App, 'db' | 'listener' | 'log'>, board: UploadProgress) {
  listener.on(channel, (payload) => board.report(...Shared.parse(JSON.parse(payload))));
  let sending: Promise<unknown> = Promise.resolve();
  return (session: string, event: ProgressEvent) => {
    const payload = JSON.stringify([session, event]);
    sending = sending
      .then(() => sql`select pg_notify(${channel}, ${payload})`.execute(db))
      .catch((error) => log.warn({ err: error }, 'the progress of an upload could not be reported'));
  };
}
