// Every peer is a process that takes jobs due at a given time, and reports when they are done.
import { publisher } from './publish.js';

/**
 * @param {(options: any, publish: (job: any) => Promise<void>) => Promise<(jobs: any[], dueAt: Date) => Promise<void>>} start
 *   Starts the peer's worker, and returns how jobs are added.
 */
export async function serve(start) {
  const options = JSON.parse(process.argv[2]);
  const publish = publisher(options);
  let ended = 0;
  let onEnded = () => {};
  const add = await start(options, async (job) => {
    await publish(job);
    ended += 1;
    onEnded();
  });

  const actions = {
    async add({ jobs, dueAt }) {
      ended = 0;
      await add(jobs, new Date(dueAt));
    },
    finish: ({ count }) =>
      new Promise((resolve) => {
        onEnded = () => ended >= count && resolve(ended);
        onEnded();
      }),
  };
  process.on('message', (message) => {
    actions[message.action](message).then(
      (result = null) => process.send({ result }),
      (error) => process.send({ error: error.stack }),
    );
  });
  process.on('disconnect', () => process.exit());
  process.send('ready');
}
