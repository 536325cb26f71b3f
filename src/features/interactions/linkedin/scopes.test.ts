import { beforeAll, expect, test } from 'vitest';
import { linkedinStage } from '../../../../test/support/stages/linkedin.ts';

/** An application with LinkedIn's self-serve products. */
const stage = linkedinStage({ environment: () => ({ LINKEDIN_SCOPES: 'openid profile w_member_social' }) });
let platformId: string;
let postedId: string;
beforeAll(async () => {
  ({ platformId } = await stage.aConnection(stage.ada()));
  postedId = await (await stage.aMember()).publish('The post');
});

const requested = async (act: () => Promise<void>) => {
  const before = (await stage.requests()).length;
  await act();
  return (await stage.requests()).slice(before).map(({ method, path }) => `${method} ${path.split('?')[0]}`);
};

test('[linkedin.scopes] a connection without the scopes of partners comments with the older API, and reads no one', async () => {
  const requests = await requested(async () => {
    const { status } = await stage.ada().call('POST', '/linkedin-comments', { postedId, platformId, message: 'Hi' });
    expect(status).toBe(201);
    const reaction = { postedId, platformId, reactionType: 'LIKE' };
    expect((await stage.ada().call('POST', '/linkedin-reactions', reaction)).status).toBe(201);
  });
  const post = `/v2/socialActions/${encodeURIComponent(postedId)}`;
  expect(requests).toEqual([`POST ${post}/comments`, `POST ${post}/likes`]);
});

test('[linkedin.scopes] statistics that the scopes do not permit are 403, and LinkedIn is not asked', async () => {
  const requests = await requested(async () => {
    const { status, body } = await stage.ada().call('POST', '/linkedin-followers', { platformId });
    const error = 'Failed to fetch LinkedIn followers statistics';
    const details = 'LinkedIn granted none of these scopes: r_member_profileAnalytics';
    expect([status, body]).toEqual([403, { error, details }]);
  });
  expect(requests).toEqual([]);
});
