import { describe, expect, test } from 'vitest';
import { startLinkedIn } from './testing.ts';

const acls = '/rest/organizationAcls?q=roleAssignee&state=APPROVED&start=0&count=100';

describe('LinkedIn pages', () => {
  test('a page’s credentials are a token of its administrator', async () => {
    const linkedin = await startLinkedIn();
    const acme = await linkedin.account('company-acme');
    expect(acme.account).toMatchObject({
      handle: 'company-acme',
      displayName: 'Acme',
      profileUrl: 'https://www.linkedin.com/company/company-acme/',
    });
    expect(acme.credentials).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      organizationId: acme.account.id,
      scopes: expect.arrayContaining(['w_organization_social']),
    });
    const { sub, name } = await (await acme.get('/v2/userinfo')).json();
    expect(name).toBe('Acme Example');
    expect(await (await acme.get(acls)).json()).toMatchObject({
      elements: [
        { role: 'ADMINISTRATOR', state: 'APPROVED', roleAssignee: `urn:li:person:${sub}`, organization: acme.urn },
      ],
      paging: { start: 0, count: 100, total: 1 },
    });
  });

  test.each(['company-', 'company-company-acme', 'an_n', 'ann lee', ''])(
    'the handle "%s" is not allowed',
    async (handle) => {
      const linkedin = await startLinkedIn();
      expect((await linkedin.sendJson('POST', '/_control/accounts', { network: 'linkedin', handle })).status).toBe(400);
    },
  );

  test('page names come from a lookup of several ids', async () => {
    const acme = await (await startLinkedIn()).account('company-acme');
    const { id } = acme.account;
    const { results, errors } = await (await acme.get(`/rest/organizationsLookup?ids=List(${id},7)`)).json();
    expect(results[id]).toMatchObject({ localizedName: 'Acme', vanityName: 'company-acme' });
    expect(errors['7']).toMatchObject({ status: 404 });
    const older = '/v2/organizationalEntityAcls?q=roleAssignee&state=APPROVED';
    expect((await (await acme.get(older)).json()).elements[0]['organizationalTarget~']).toMatchObject({
      localizedName: 'Acme',
      vanityName: 'company-acme',
    });
    const oldProtocol = { 'x-restli-protocol-version': '1.0.0' };
    expect((await acme.get(`/rest/organizationsLookup?ids=List(${id})`, oldProtocol)).status).toBe(400);
  });

  test('a projection picks fields and shows the images behind their URNs, in the older API only', async () => {
    const linkedin = await startLinkedIn();
    const [acme, ann] = [await linkedin.account('company-acme'), await linkedin.account('ann')];
    const { id, avatarUrl } = acme.account;
    const query = `organizationsLookup?ids=List(${id})&projection=(results*(vanityName,logoV2(original~:playableStreams)))`;
    const { results, statuses } = await (await acme.get(`/v2/${query}`)).json();
    expect(statuses).toBeUndefined();
    expect(results[id]).toMatchObject({
      vanityName: 'company-acme',
      logoV2: {
        original: expect.stringMatching(/^urn:li:digitalmediaAsset:/),
        'original~': { elements: [{ identifiers: [{ identifier: avatarUrl }] }] },
      },
    });
    expect(results[id]).not.toHaveProperty('localizedName');
    const versioned = await (await acme.get(`/rest/${query}`)).json();
    expect(versioned.results[id].logoV2).not.toHaveProperty('original~');

    const picture = 'profilePicture(displayImage~digitalmediaAsset:playableStreams)';
    expect(await (await ann.get(`/v2/me?projection=(id,${picture})`)).json()).toMatchObject({
      id: ann.account.id,
      profilePicture: { 'displayImage~': { elements: [{ identifiers: [{ identifier: ann.account.avatarUrl }] }] } },
    });
    expect((await ann.get('/v2/me?projection=(id,profilePicture(displayImage~')).status).toBe(400);
  });

  test('a member administers the page of the same name; a member called admin always has a page', async () => {
    const linkedin = await startLinkedIn();
    const pagesOf = async (handle: string) => {
      const { elements } = await (await (await linkedin.account(handle)).get(acls)).json();
      return elements.map(({ organization }: { organization: string }) => organization);
    };
    expect(await pagesOf('ann')).toEqual([]);
    expect(await pagesOf('page-admin')).toEqual([expect.stringMatching(/^urn:li:organization:\d+$/)]);
    expect((await linkedin.account('company-page-admin')).urn).toBe((await pagesOf('page-admin'))[0]);
    const { urn } = await linkedin.account('company-ann');
    expect(await pagesOf('ann')).toEqual([urn]);
  });

  test('a page can be suspended and its tokens revoked under its own handle', async () => {
    const linkedin = await startLinkedIn();
    const acme = await linkedin.account('company-acme');
    const change = (fields: Record<string, boolean>) =>
      linkedin.sendJson('PATCH', '/_control/accounts', { network: 'linkedin', handle: 'company-acme', ...fields });
    await change({ suspended: true });
    expect((await acme.publish()).status).toBe(403);
    await change({ suspended: false, revokeTokens: true });
    expect((await acme.publish()).status).toBe(401);
  });

  test('the handle of a member needs its own permission', async () => {
    const linkedin = await startLinkedIn();
    const ann = await linkedin.account('ann');
    expect(await (await ann.get('/v2/me')).json()).toMatchObject({ id: ann.account.id, vanityName: 'ann' });
    const without = await (await linkedin.allowing('ann', 'openid profile')).get('/v2/me');
    expect([without.status, (await without.json()).message]).toEqual([
      403,
      'Not enough permissions to access: me.GET.NO_VERSION',
    ]);
  });

  test('profiles and images are at their real addresses', async () => {
    const linkedin = await startLinkedIn();
    for (const handle of ['ann', 'company-acme']) {
      const { account } = await linkedin.account(handle);
      expect(await (await linkedin.at(account.profileUrl.replace('https:/', ''))).text()).toContain(
        account.displayName,
      );
      const image = await linkedin.at(account.avatarUrl.replace('https:/', ''));
      expect(image.headers.get('content-type')).toBe('image/png');
    }
    expect((await linkedin.at('/www.linkedin.com/in/company-acme/')).status).toBe(404);
  });
});
