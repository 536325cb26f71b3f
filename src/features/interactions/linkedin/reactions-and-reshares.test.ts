import { beforeAll, describe, expect, test } from 'vitest';
import { linkedinStage } from '../../../../test/support/stages/linkedin.ts';
import { buildServer } from '../../../surfaces/server.ts';
import { storeGrant } from '../../connections/connections.ts';

const stage = linkedinStage();
let platformId: string;
let member: Awaited<ReturnType<typeof stage.aMember>>;
let page: Awaited<ReturnType<typeof stage.aConnection>>;
let postedId: string;
beforeAll(async () => {
  ({ platformId, member } = await stage.aConnection(stage.ada()));
  page = await stage.aConnection(stage.ada(), 'company-ada');
  postedId = await (await stage.aMember()).publish('The post');
});

describe('[linkedin-reactions] POST /linkedin-reactions', () => {
  const react = (body: object) => stage.ada().call('POST', '/linkedin-reactions', { postedId, platformId, ...body });

  test.for(['LIKE', 'praise', 'Empathy', 'INTEREST', 'APPRECIATION', 'ENTERTAINMENT'])(
    '[linkedin-reactions.types] reacts with %s',
    async (reactionType) => {
      const on = await member.publish(`React with ${reactionType}`);
      const { status, body } = await react({ postedId: on, reactionType });
      expect([status, body]).toEqual([
        201,
        { success: true, reaction: expect.objectContaining({ reactionType: reactionType.toUpperCase() }) },
      ]);
    },
  );

  test('[linkedin-reactions.create] names the URN that LinkedIn took if it differs from the one sent', async () => {
    const on = await member.publish('React by activity');
    const from = on.replace('share', 'activity');
    const { status, body } = await react({ postedId: from, reactionType: 'LIKE' });
    expect([status, body.urnTranslated]).toEqual([201, { from, to: on }]);
  });

  test('[linkedin-reactions.exists] 409 REACTION_ALREADY_EXISTS, of any type', async () => {
    const on = await member.publish('React once');
    expect((await react({ postedId: on, reactionType: 'LIKE' })).status).toBe(201);
    const { status, body } = await react({ postedId: on, reactionType: 'praise' });
    expect([status, body]).toEqual([
      409,
      { error: 'REACTION_ALREADY_EXISTS', message: expect.any(String), requestedReactionType: 'PRAISE' },
    ]);
  });

  test('[linkedin-reactions.exists] another conflict is passed on as what it is', async () => {
    await stage.fault({ kind: 'status', operation: 'other', status: 409 });
    const { status, body } = await react({ reactionType: 'LIKE' });
    const details = { status: 409, code: 'CONFLICT', message: 'Conflict with another write, please retry' };
    expect([status, body]).toEqual([409, { error: 'Failed to create LinkedIn reaction', details, status: 409 }]);
  });

  test('[linkedin-reactions.create] a reaction that LinkedIn accepts without a body is created', async () => {
    const terse = await stage.aConnection(stage.ada(), 'terse-reader');
    const { status, body } = await react({ platformId: terse.platformId, reactionType: 'LIKE' });
    const id = expect.stringMatching(/^urn:li:reaction:/);
    expect([status, body]).toEqual([201, { success: true, reaction: { id } }]);
  });

  test.for<[error: string, ...bodies: object[]]>([
    [
      'postedId, reactionType, and platformId are required',
      {},
      { reactionType: 'LIKE', postedId: null },
      { reactionType: 'LIKE', platformId: null },
      { reactionType: '' },
    ],
    [
      'postedId must be a valid LinkedIn URN',
      { reactionType: 'LIKE', postedId: 'urn:li:comment:(urn:li:activity:1,2)' },
    ],
    [
      'reactionType must be one of: LIKE, PRAISE, EMPATHY, INTEREST, APPRECIATION, ENTERTAINMENT',
      { reactionType: 'MAYBE' },
      { reactionType: 7 },
    ],
  ])('[linkedin-reactions.create-errors] 400 %s', async ([error, ...bodies]) => {
    for (const body of bodies) {
      const answer = await react(body);
      expect([answer.status, answer.body]).toEqual([400, { error }]);
    }
  });

  test("[linkedin-reactions.create-failed] failures carry LinkedIn's own answer and status", async () => {
    const error = 'Failed to create LinkedIn reaction';
    const unknown = await react({ postedId: 'urn:li:share:1', reactionType: 'LIKE' });
    const message = 'Unable to obtain activity for urn: urn:li:share:1';
    expect([unknown.status, unknown.body]).toEqual([
      404,
      { error, details: { status: 404, code: 'NOT_FOUND', message }, status: 404 },
    ]);
    await stage.fault({ kind: 'status', operation: 'other', status: 503 });
    const failed = await react({ reactionType: 'LIKE' });
    const details = { status: 503, code: 'SERVICE_UNAVAILABLE', message: 'Service Unavailable' };
    expect([failed.status, failed.body]).toEqual([500, { error, details, status: 503 }]);
  });
});

describe('[linkedin-reactions.delete] DELETE /linkedin-reactions', () => {
  const remove = (body: object) => stage.ada().call('DELETE', '/linkedin-reactions', { postedId, platformId, ...body });

  test('[linkedin-reactions.delete] takes a reaction back, by body or query and by either URN, and another can be chosen', async () => {
    const on = await member.publish('Change your mind');
    const activity = on.replace('share', 'activity');
    const react = () =>
      stage.ada().call('POST', '/linkedin-reactions', { postedId: on, platformId, reactionType: 'LIKE' });
    await react();
    const byBody = await remove({ postedId: on });
    expect([byBody.status, byBody.body]).toEqual([200, { success: true, reaction: null }]);
    await react();
    const query = new URLSearchParams({ postedId: activity, platformId });
    const byQuery = await stage.ada().call('DELETE', `/linkedin-reactions?${query}`);
    expect([byQuery.status, byQuery.body]).toEqual([
      200,
      { success: true, reaction: null, urnTranslated: { from: activity, to: on } },
    ]);
    expect((await react()).status).toBe(201);
  });

  test('[linkedin-reactions.delete-errors] 400 postedId and platformId are required', async () => {
    for (const body of [{ postedId: null }, { platformId: null }, { postedId: '' }]) {
      const answer = await remove(body);
      expect([answer.status, answer.body]).toEqual([400, { error: 'postedId and platformId are required' }]);
    }
  });

  test('[linkedin.posted-id] 400 postedId must be a valid LinkedIn URN', async () => {
    const { status, body } = await remove({ postedId: 'x' });
    expect([status, body]).toEqual([400, { error: 'postedId must be a valid LinkedIn URN' }]);
  });

  test("[linkedin-reactions.delete-failed] failures carry LinkedIn's own answer and status", async () => {
    const error = 'Failed to delete LinkedIn reaction';
    const none = await remove({});
    expect([none.status, none.body]).toMatchObject([404, { error, details: { code: 'NOT_FOUND' }, status: 404 }]);
    await stage.fault({ kind: 'status', operation: 'other', status: 500 });
    const failed = await remove({});
    expect([failed.status, failed.body]).toMatchObject([500, { error, details: { status: 500 }, status: 500 }]);
  });
});

describe('[linkedin-reshare] POST /linkedin-reshare', () => {
  const reshare = (body: object) =>
    stage.ada().call('POST', '/linkedin-reshare', { platformId, parent: postedId, ...body });
  const published = async (id: string) => (await stage.posts()).find((post) => post.id === id);

  test('[linkedin-reshare.platform-id] a person reshares as the member, with or without the prefix of the connection', async () => {
    for (const [index, id] of [platformId, platformId.replace('linkedin-', '')].entries()) {
      const commentary = `Worth (reading) ${index} @{urn:li:person:aB3dE|Ann Lee}`;
      const { status, body } = await reshare({ platformId: id, commentary, visibility: 'connections' });
      expect([status, body]).toEqual([
        201,
        { success: true, reshare: { lifecycleState: 'PUBLISHED', id: expect.stringMatching(/^urn:li:share:\d+$/) } },
      ]);
      expect(await published(body.reshare.id)).toMatchObject({
        text: `Worth (reading) ${index} Ann Lee`,
        request: { body: { author: member.urn, visibility: 'CONNECTIONS', reshareContext: { parent: postedId } } },
      });
    }
  });

  test('[linkedin-reshare.platform-id] a page reshares as the organization, also without commentary', async () => {
    const { status, body } = await reshare({ platformId: page.platformId });
    expect(status).toBe(201);
    expect(await published(body.reshare.id)).toMatchObject({
      text: '',
      request: { body: { author: page.member.urn, visibility: 'PUBLIC' } },
    });
  });

  test('[linkedin-reshare.response] a reshare whose id LinkedIn does not name is published, and the answer says so', async () => {
    const { app } = stage.service();
    const withoutId: typeof fetch = async (input, init) => {
      const { status, body, headers: sent } = await app.platformAccess.fetch(input, init);
      const headers = new Headers(sent);
      headers.delete('x-restli-id');
      return new Response(body, { status, headers });
    };
    const server = await buildServer({ ...app, platformAccess: { ...app.platformAccess, fetch: withoutId } });
    const answer = await server.inject({
      method: 'POST',
      url: '/api/v1/linkedin-reshare',
      headers: { 'x-service-key': stage.ada().apiKey },
      payload: { platformId, parent: postedId, commentary: 'Nameless' },
    });
    await server.close();
    expect([answer.statusCode, answer.json()]).toEqual([
      201,
      {
        success: true,
        reshare: { lifecycleState: 'PUBLISHED', id: null },
        warnings: [{ code: 'LINKEDIN_ID_MISSING', message: expect.stringContaining('Do not send it again') }],
      },
    ]);
    expect((await stage.posts()).filter(({ text }) => text === 'Nameless')).toHaveLength(1);
  });

  test.for<[error: string, ...bodies: object[]]>([
    ['platformId and parent are required', { platformId: null }, { parent: null }],
    ['platformId cannot be empty', { platformId: '' }, { platformId: ' ' }],
    ['parent must be a string', { parent: 7 }],
    ['parent cannot be empty', { parent: '' }, { parent: ' ' }],
    [
      'parent must be a valid LinkedIn post URN (urn:li:share:<id> or urn:li:ugcPost:<id>)',
      { parent: 'urn:li:activity:1' },
      { parent: 'x' },
    ],
    ['commentary must be a string', { commentary: 7 }],
    ['commentary cannot exceed 3000 characters', { commentary: 'a'.repeat(3001) }],
    [
      'commentary exceeds 3000 characters after mention/text formatting — shorten the text',
      { commentary: '('.repeat(1501) },
    ],
    [
      'LinkedIn cannot render mentions that use web-profile ids (urn:li:person:ACoAA…). Use the native member id LinkedIn returns to Service, such as those of GET /linkedin-mentionables.',
      { commentary: '@{urn:li:person:ACoAAB1|Ann}' },
    ],
    ['visibility must be a string', { visibility: 7 }],
    ['visibility must be one of: PUBLIC, CONNECTIONS', { visibility: 'LOGGED_IN' }],
  ])('[linkedin-reshare.errors] 400 %s', async ([error, ...bodies]) => {
    for (const body of bodies) {
      const answer = await reshare(body);
      expect([answer.status, answer.body]).toEqual([400, { error }]);
    }
  });

  test('[linkedin-reshare.organization-visibility] 400 LinkedIn organization reposts cannot use CONNECTIONS visibility; choose PUBLIC', async () => {
    const { status, body } = await reshare({ platformId: page.platformId, visibility: 'CONNECTIONS' });
    const error = 'LinkedIn organization reposts cannot use CONNECTIONS visibility; choose PUBLIC';
    expect([status, body]).toEqual([400, { error }]);
  });

  test('[linkedin-reshare.organization-missing] 400 LinkedIn company connection is missing organizationId. Please reconnect the LinkedIn page.', async () => {
    const account = { ...page.member, id: '55', handle: 'lost', traits: { isCompanyPage: true } };
    const credentials = { accessToken: 'AQX', refreshToken: null, organizationId: null };
    const grant = { account, credentials, scopes: [], expiresAt: null };
    const lost = await storeGrant(stage.service().app, stage.ada().id, 'linkedin', grant);
    const { status, body } = await reshare({ platformId: lost.platformId });
    const error = 'LinkedIn company connection is missing organizationId. Please reconnect the LinkedIn page.';
    expect([status, body]).toEqual([400, { error }]);
  });

  test('[linkedin-reshare.failed] 500 Failed to create LinkedIn reshare, with details; a refusal has its own status', async () => {
    const error = 'Failed to create LinkedIn reshare';
    const gone = await reshare({ parent: 'urn:li:share:1' });
    expect([gone.status, gone.body]).toEqual([400, { error, details: expect.stringContaining('cannot be reshared') }]);
    await stage.fault({ kind: 'status', operation: 'publish', status: 500 });
    const failed = await reshare({ commentary: 'Again' });
    expect([failed.status, failed.body]).toEqual([500, { error, details: expect.any(String) }]);
  });

  test('[linkedin-reshare.token-expired] 401 LINKEDIN_TOKEN_EXPIRED, and the connection is marked', async () => {
    const eve = await stage.service().aUser();
    const revoked = await stage.aConnection(eve, 'member-who-revokes');
    await stage.revoke('member-who-revokes');
    const answer = await eve.call('POST', '/linkedin-reshare', { platformId: revoked.platformId, parent: postedId });
    expect([answer.status, answer.body]).toEqual([
      401,
      { error: 'LINKEDIN_TOKEN_EXPIRED', message: expect.any(String) },
    ]);
    const { connections } = (await eve.call('GET', '/platform-connections')).body;
    expect(connections).toMatchObject([{ connectionStatus: 'reconnect_required' }]);
  });

  test('[linkedin-reshare.token-expired] a refusal that follows a renewal marks the connection too', async () => {
    const eve = await stage.service().aUser();
    const { platformId } = await stage.aConnection(eve, 'member-whose-renewed-token-is-refused');
    await stage.fault({ kind: 'expired_token', operation: 'publish', times: 2 });
    const answer = await eve.call('POST', '/linkedin-reshare', { platformId, parent: postedId });
    expect([answer.status, answer.body.error]).toEqual([401, 'LINKEDIN_TOKEN_EXPIRED']);
    const { connections } = (await eve.call('GET', '/platform-connections')).body;
    expect(connections).toMatchObject([{ connectionStatus: 'reconnect_required', tokenStatus: 'expired' }]);
  });
});
