import { afterAll, beforeAll, expect, test } from 'vitest';
import { everyPlace } from '../../../../test/support/publishing/publish-due.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { claimPosts } from '../lanes/claim-queries.ts';
import { dispatch } from '../lanes/dispatcher.ts';
import { claimLanes } from '../lanes/lane-queries.ts';
import { beginSteps, finishSteps } from './step-queries.ts';

let service: TestService;
let ada: TestUser;

beforeAll(async () => {
  service = await testService();
  ada = await service.aUser();
});
afterAll(() => service.close());

/** A post claimed by a second run while the first one is still running. Both have begun the same step. */
async function takenOver() {
  const { app } = service;
  const platforms = [await ada.aConnection()];
  await ada.call('POST', '/create-post', { content: 'Taken over', platforms, publishNow: true });
  await dispatch(app);
  const [lane] = await claimLanes(app.db, 'worker', app.clock.now(), everyPlace);
  const run = async (token: string) => {
    const now = app.clock.now();
    const claim = { worker: 'worker', connectionId: lane!.connectionId, token, logIds: [app.newId(), app.newId()] };
    const [post] = await claimPosts(app.db, [{ ...claim, logIds: [claim.logIds[0]!, claim.logIds[1]!], now }]);
    const step = { id: post!.id, token, name: 'container', now, makesVisible: false, fingerprint: null };
    return {
      begin: async () => (await beginSteps(app.db, [step]))[0],
      finish: async (result: string, onlyIfClaimed: boolean) =>
        (await finishSteps(app.db, [{ ...step, result, onlyIfClaimed }]))[0],
    };
  };
  const first = await run(app.newId());
  expect(await first.begin()).toBe('new');
  const second = await run(app.newId());
  expect(await second.begin()).toMatchObject({ ended: false });
  return { first, second };
}

test('the result of a replayable step is taken only from the run that has the claim', async () => {
  const { first, second } = await takenOver();
  expect(await first.finish('of the first', true)).toBe(false);
  expect(await second.finish('of the second', true)).toBe(true);
  expect(await second.begin()).toMatchObject({ ended: true, result: 'of the second' });
});

test('the result of a step that cannot be repeated is stored, whichever run reports it', async () => {
  const { first, second } = await takenOver();
  expect(await first.finish('of the first', false)).toBe(false);
  expect(await second.begin()).toMatchObject({ ended: true, result: 'of the first' });
});
