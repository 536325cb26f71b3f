import { describe, expect, test } from 'vitest';
import { failureOf, platformStage } from '../../../test/support/stages/platform.ts';
import { linkedin } from './index.ts';
import { publish } from './publish.ts';

const { sandbox, aMember, aPost, content, postsOf } = platformStage(linkedin);

test('a post is public, in the main feed, and by the member', async () => {
  const member = await aMember();
  const remote = await publish(content('Hello (world) #launch'), aPost(member)());
  const [post] = await postsOf(member);
  expect(post).toMatchObject({ id: remote.id, text: 'Hello (world) #launch' });
  expect(post?.request.body).toEqual({
    author: `urn:li:person:${member.account.id}`,
    commentary: 'Hello \\(world\\) #launch',
    visibility: 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
  });
  expect(remote).toEqual({
    id: expect.stringMatching(/^urn:li:share:\d+$/),
    url: `https://www.linkedin.com/feed/update/${remote.id}/`,
  });
});

test('a connection to a company page posts as the page', async () => {
  const page = await aMember('company-acme');
  expect(page.account).toMatchObject({ id: page.made.id, handle: 'company-acme', traits: { isCompanyPage: true } });
  const remote = await publish(content('We are hiring'), aPost(page)());
  const [post] = await postsOf(page);
  expect(post).toMatchObject({ id: remote.id, request: { body: { author: `urn:li:organization:${page.made.id}` } } });
});

test('mentions arrive as links', async () => {
  const member = await aMember();
  await publish(content('Thanks, @{urn:li:organization:2414183|Devs (EU)}!'), aPost(member)());
  expect(await postsOf(member)).toMatchObject([
    { request: { body: { commentary: 'Thanks, @[Devs \\(EU\\)](urn:li:organization:2414183)!' } } },
  ]);
});

test('mentions that LinkedIn cannot render are an issue before publishing', async () => {
  const { account } = await aMember();
  const issues = linkedin.validate?.(content('Hi @{urn:li:person:ACoAAB1|Ann}'), account);
  expect(issues).toMatchObject([{ code: 'INVALID_PLATFORM_CONTENT', field: 'content' }]);
  expect(linkedin.validate?.(content('Hi Ann'), account)).toEqual([]);
});

describe('a repost', () => {
  const repostOf = (repostParentUrn: string, text = '', repostVisibility: '' | 'PUBLIC' | 'CONNECTIONS' = '') =>
    content(text, { repostEnabled: true, repostParentUrn, repostVisibility });

  async function anOriginal() {
    const { id } = await publish(content('The original'), aPost(await aMember())());
    return id;
  }

  test.for([
    ['', 'PUBLIC'],
    ['PUBLIC', 'PUBLIC'],
    ['CONNECTIONS', 'CONNECTIONS'],
  ] as const)('with the visibility "%s" is %s', async ([repostVisibility, visibility]) => {
    const [parent, member] = [await anOriginal(), await aMember()];
    const remote = await publish(repostOf(parent, 'Worth a read', repostVisibility), aPost(member)());
    const [post] = await postsOf(member);
    expect(post).toMatchObject({
      id: remote.id,
      text: 'Worth a read',
      request: { body: { visibility, reshareContext: { parent } } },
    });
    expect(post?.request.body).not.toHaveProperty('content');
  });

  test('by a company page is public, whatever was set', async () => {
    const [parent, page] = [await anOriginal(), await aMember('company-reposts')];
    await publish(repostOf(parent, '', 'CONNECTIONS'), aPost(page)());
    expect(await postsOf(page)).toMatchObject([{ text: '', request: { body: { visibility: 'PUBLIC' } } }]);
  });

  test("of a post that is gone is rejected with LinkedIn's reason", async () => {
    const member = await aMember();
    const failure = await failureOf(publish(repostOf('urn:li:share:404', 'Look'), aPost(member)()));
    expect(failure).toMatchObject({
      kind: 'rejected',
      message:
        'LinkedIn rejected the repost — the original post may have been deleted, made private, or is not reshareable.',
      reason: expect.stringMatching(/urn:li:share:404/),
    });
    expect(await postsOf(member)).toEqual([]);
  });

  test('whose commentary is too long is rejected for that', async () => {
    const parent = await anOriginal();
    const failure = await failureOf(publish(repostOf(parent, 'a'.repeat(3001)), aPost(await aMember())()));
    expect(failure).toMatchObject({ kind: 'rejected', message: 'The text is too long for LinkedIn. Shorten it.' });
  });

  test('that LinkedIn already has is rejected for that', async () => {
    const [parent, member] = [await anOriginal(), await aMember()];
    await publish(repostOf(parent, 'Again'), aPost(member)());
    const failure = await failureOf(publish(repostOf(parent, 'Again'), aPost(member)()));
    expect(failure).toMatchObject({ kind: 'rejected', message: expect.stringContaining('same text twice') });
  });

  test('does not blame the original when the connection is the problem', async () => {
    const parent = await anOriginal();
    await sandbox().fault({ operation: 'publish', kind: 'expired_token' });
    const failure = await failureOf(publish(repostOf(parent, 'Expired'), aPost(await aMember())()));
    expect(failure.kind).toBe('auth');
  });
});
