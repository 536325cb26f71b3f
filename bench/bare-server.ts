// The ceiling of create-post: the same statement in a bare Fastify handler. Runs as a child process.
import Fastify from 'fastify';
import { openDatabase } from '../src/db/database.ts';
import { systemClock } from '../src/lib/clock.ts';
import { idMaker } from '../src/lib/ids.ts';
import { finish } from '../src/lib/in-turns.ts';
import { searchWords } from '../src/lib/search-words.ts';
import { insertGroup } from '../src/posts/write-queries.ts';

const { databaseUrl, userId, connectionId, platform, accountId } = JSON.parse(process.argv[2]!);
const { db } = openDatabase(databaseUrl);
const newId = idMaker(systemClock);
const server = Fastify();

server.post('/create-post', async (request) => {
  const { content } = request.body as { content: string };
  const id = newId();
  const target = {
    id: newId(),
    connectionId,
    platform,
    accountId,
    content,
    contentOverridden: false,
    threadParts: '[]',
  };
  const group = {
    id,
    userId,
    content,
    words: finish(searchWords(content)),
    status: 'draft' as const,
    scheduledAt: null,
    publishNow: false,
    settings: {},
    firstComments: [],
    mediaIds: [],
    targets: [target],
    logId: newId(),
    eventId: newId(),
    now: systemClock.now(),
  };
  return insertGroup(db, group, null, { success: true, postGroupId: id, scheduledTime: null }, null);
});

process.send?.(await server.listen({ port: 0, host: '127.0.0.1' }));
process.once('disconnect', () => process.exit());
