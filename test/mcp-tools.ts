import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectSandboxAccount } from '../src/features/connections/connect/sandbox.ts';
import { type JsonSchema, sampleOf } from './support/documents/json-samples.ts';
import { eventually } from './support/eventually.ts';
import { anImage } from './support/files/media.ts';
import { type MediaWeb, mediaWeb } from './support/servers/media-web.ts';
import type { SandboxAccount } from './support/servers/sandbox.ts';
import type { TestUser } from './support/service/service.ts';
import type { ClientOptions, McpStage, ToolClient } from './support/stages/mcp.ts';

export interface Opening {
  environment: Record<string, string>;
}

/**
 * Calls every tool with the official client over HTTP, against the sandbox, through a balancer in front of two
 * instances of the service.
 */
export function testEveryTool(
  openStage: (options: Opening) => Promise<McpStage>,
  { beforeEachTest = async () => {}, sdk = 2 }: { beforeEachTest?: () => Promise<void>; sdk?: 1 | 2 } = {},
) {
  let stage: McpStage;
  let web: MediaWeb;
  let ada: TestUser;
  let client: ToolClient;
  let connection: string;
  let members: { platformId: string; author: string };
  /** The tools that were called successfully. */
  const proven = new Set<string>();

  beforeAll(async () => {
    web = await mediaWeb();
    stage = await openStage({ environment: { EGRESS_ALLOW: web.place } });
    ada = await stage.aUser();
    connection = await ada.aConnection();
    members = await linkedinAccounts();
    client = await aClient({ user: ada });
  });
  beforeEach(beforeEachTest);
  afterAll(async () => {
    await stage.close();
    await web[Symbol.asyncDispose]();
  });

  async function aClient(options: Pick<ClientOptions, 'user' | 'headers'>): Promise<ToolClient> {
    const made = await (sdk === 1 ? stage.aClientOfSdk1(options) : stage.aClient(options));
    // The client validates results only against schemas that it has seen.
    await made.listTools();
    return made;
  }

  async function linkedinAccounts() {
    const { app, sandbox } = stage;
    const account = { platform: 'linkedin', handle: 'ada' } as const;
    const { platformId } = await connectSandboxAccount(app, sandbox.url, ada.id, account);
    const made = await sandbox.control<SandboxAccount>('POST', '/accounts', { network: 'linkedin', handle: 'ada' });
    return { platformId, author: made.account.id };
  }

  async function call(name: string, args: Record<string, unknown> = {}) {
    const { isError, body } = await stage.call(client, name, args);
    expect([name, isError, isError && body]).toEqual([name, false, false]);
    proven.add(name);
    return body;
  }

  const draft = async (more: object = {}) =>
    (await call('create_post', { content: 'A draft', platforms: [connection], ...more })).postGroupId as string;

  /** A published post, with its id on the network. */
  async function published(platformId: string): Promise<{ postGroupId: string; postedId: string }> {
    const postGroupId = await draft({ platforms: [platformId], content: `Out on ${platformId}`, publishNow: true });
    await stage.publish();
    const [post] = await eventually(
      async () => {
        const { status, posts } = await call('get_post', { postGroupId });
        expect(status).toBe('published');
        return posts;
      },
      { interval: 100 },
    );
    return { postGroupId, postedId: post.postedId };
  }

  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

  describe('posts', () => {
    test('the accounts, their limits and the quotas can be read', async () => {
      const { connections } = await call('list_connections');
      expect(connections.map(({ platformId }: { platformId: string }) => platformId)).toContain(connection);
      expect(await call('test_connection', { platformId: connection })).toMatchObject({ status: 'ok' });
      expect((await call('platform_limits')).platforms.mastodon.characters.standard).toBe(500);
      const { context } = await call('account_context', { scheduledTime: inAnHour() });
      expect(context).toMatchObject({ actorUserId: ada.id, features: { mcpAccess: true } });
    });

    test('a text is checked without being stored', async () => {
      const tooLong = { content: 'word '.repeat(200), platforms: [connection] };
      expect(await call('validate_post', tooLong)).toMatchObject({
        validation: { valid: false, errors: [{ platform: 'mastodon', field: 'content' }] },
      });
      expect(await stage.call(client, 'create_post', { ...tooLong, scheduledTime: inAnHour() })).toMatchObject({
        isError: true,
        body: { code: 'VALIDATION_FAILED', hint: expect.stringContaining('validate_post') },
      });
      expect((await call('list_posts')).posts).toEqual([]);
    });

    test('a draft is made, scheduled, read, listed and deleted', async () => {
      const content = `A long text: ${'word '.repeat(80)}`.trim();
      const postGroupId = await draft({ content });
      const scheduledTime = inAnHour();
      expect(await call('update_post', { postGroupId, status: 'scheduled', scheduledTime })).toMatchObject({
        postGroup: { status: 'scheduled', scheduledTime },
      });
      expect(await call('get_post', { postGroupId })).toMatchObject({ status: 'scheduled', posts: [{ content }] });
      const { posts } = await call('list_posts', { status: 'scheduled', limit: 5, sortOrder: 'asc' });
      expect(posts).toMatchObject([{ postGroupId, content }]);
      const concise = await call('list_posts', { status: 'scheduled', responseFormat: 'concise' });
      expect(concise.posts[0].content).toBe(`${content.slice(0, 99)}…`);
      const { logs } = await call('post_logs', { postGroupId });
      expect(logs.length).toBeGreaterThan(0);
      expect(await call('delete_post', { postGroupId })).toEqual({ success: true });
      expect((await ada.call('GET', `/get-post/${postGroupId}`)).status).toBe(404);
    });

    test('a post goes out in the next slot', async () => {
      const weekday = (new Date().getUTCDay() % 7) + 1;
      await ada.call('PUT', '/posting-slots', {
        timeZone: 'UTC',
        slots: [{ weekday, time: '12:00', platformId: null }],
      });
      const { publishAt } = await call('next_slot', { platforms: connection });
      const { scheduledTime, postGroupId } = await call('create_post', {
        content: 'In a slot',
        platforms: [connection],
        scheduledTime: 'next-slot',
      });
      expect(scheduledTime).toBe(publishAt);
      await call('delete_post', { postGroupId });
    });

    test('a post that failed for a passing reason is tried again', async () => {
      const becomes = (postGroupId: string, wanted: string) =>
        eventually(async () => expect((await call('get_post', { postGroupId })).status).toBe(wanted), {
          interval: 100,
        });
      const fault = { network: 'mastodon', operation: 'publish', kind: 'rate_limit', retryAfterSeconds: 7 * 3600 };
      await stage.sandbox.control('POST', '/faults', fault);
      const postGroupId = await draft({ content: 'Failed at first', publishNow: true });
      await stage.publish();
      await becomes(postGroupId, 'failed');
      await stage.sandbox.clearFaults();
      expect((await call('retry_post', { postGroupId })).retried).toMatchObject([{ platform: 'mastodon' }]);
      await stage.publish();
      await becomes(postGroupId, 'published');
    });

    test('a retry with the same idempotencyKey makes no second post', async () => {
      const idempotencyKey = 'Straße №1';
      const once = await draft({ idempotencyKey });
      expect(await draft({ idempotencyKey })).toBe(once);
      const other = { content: 'Another text', platforms: [connection], idempotencyKey };
      expect(await stage.call(client, 'create_post', other)).toMatchObject({
        isError: true,
        body: { code: 'IDEMPOTENCY_KEY_CONFLICT', hint: expect.stringContaining('idempotencyKey') },
      });
    });
  });

  describe('media', () => {
    test('a file is uploaded, checked and deleted', async () => {
      const postGroupId = await draft();
      const { bytes, type: contentType } = await anImage({ type: 'png' });
      const file = { postGroupId, fileName: 'a.png', contentType, type: 'image', altText: 'A square' };
      const { uploadUrl, mediaId } = await call('get_upload_url', file);
      const body = new Blob([new Uint8Array(bytes)]);
      expect((await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': contentType }, body })).status).toBe(
        200,
      );
      expect(await call('complete_media', { mediaId })).toMatchObject({ success: true });
      expect(await call('list_media')).toMatchObject({ media: [{ _id: mediaId, altText: 'A square' }] });
      const changed = await call('update_media', { mediaId, altText: 'A blue square' });
      expect(changed.media).toMatchObject({ mediaId, altText: 'A blue square' });
      expect(await call('delete_media', { mediaId })).toMatchObject({ success: true });
      expect((await call('get_post', { postGroupId })).media).toEqual([]);
    });

    test('a file of the chat is attached once, however often the agent calls', async () => {
      const postGroupId = await draft();
      const file = { download_url: `${web.url}/picture/a`, file_id: 'file-1', file_name: 'a.png' };
      await call('attach_media', { postGroupId, file });
      await call('attach_media', { postGroupId, file });
      expect((await call('get_post', { postGroupId })).media).toHaveLength(1);
      await call('attach_media', { postGroupId, file, idempotencyKey: 'a second copy' });
      expect((await call('get_post', { postGroupId })).media).toHaveLength(2);
    });

    test('a reference to a missing file is removed', async () => {
      const postGroupId = await draft({ mediaUrls: [`${web.url}/picture/a`] });
      const { media } = await call('get_post', { postGroupId });
      const { mediaId } = media[0];
      await stage.database.pool.query('delete from media where id = $1', [mediaId]);
      expect(await call('prune_media_reference', { postGroupId, mediaId })).toMatchObject({ success: true });
    });
  });

  describe('statistics', () => {
    test('of posts and of a profile', async () => {
      const { postedId } = await published(connection);
      const account = { platform: 'mastodon', platformId: connection };
      const { stats } = await call('post_stats', { ...account, postedIds: [postedId] });
      expect(stats[postedId]).toMatchObject({ reactions: expect.any(Number) });
      expect(await call('profile_stats', account)).toMatchObject({ profile: { followers: expect.any(Number) } });
    });

    test('more than 50 posts are refused', async () => {
      const postedIds = Array.from({ length: 51 }, (_, index) => `${index}`);
      const args = { platform: 'mastodon', platformId: connection, postedIds };
      expect(await stage.call(client, 'post_stats', args)).toMatchObject({
        isError: true,
        body: { error: 'postedIds must be at most 50 entries long', hint: expect.stringContaining('1 to 50') },
      });
    });
  });

  describe('LinkedIn', () => {
    test('a post is commented on, reacted to, reshared and measured', async () => {
      const { platformId } = members;
      const { postedId } = await published(platformId);
      const comment = { postedId, platformId, message: 'Well said' };
      const { comment: made } = await call('linkedin_create_comment', comment);
      const answer = { ...comment, parentComment: made.commentUrn };
      expect((await call('linkedin_create_comment', answer)).comment.id).not.toBe(made.id);
      const commentId = made.id;
      expect(await call('linkedin_delete_comment', { postedId, platformId, commentId })).toMatchObject({
        success: true,
      });
      await call('linkedin_create_reaction', { postedId, platformId, reactionType: 'LIKE' });
      await call('linkedin_delete_reaction', { postedId, platformId });
      const reshare = { platformId, parent: postedId, commentary: 'Read this' };
      expect((await call('linkedin_create_reshare', reshare)).reshare.id).toMatch(/^urn:li:share:/);
      expect(await call('linkedin_post_stats', { postedId, platformId, queryTypes: 'ALL' })).toMatchObject({
        metrics: { COMMENT: expect.any(Number) },
      });
      await call('linkedin_account_stats', { platformId, queryType: 'IMPRESSION' });
      await call('linkedin_followers', { platformId });
      await call('linkedin_profile_summary', { platformId });
      expect(await call('linkedin_list_mentionables', { q: 'a', limit: 5 })).toMatchObject({ success: true });
    });
  });

  describe('workspaces', () => {
    test('an owner makes, lists and removes users', async () => {
      await stage.app.db.updateTable('users').set({ workspace_enabled: true }).where('id', '=', ada.id).execute();
      // Both instances learn of it through a notification, which takes a moment.
      await eventually(() => Promise.all([call('list_workspace_users'), call('list_workspace_users')]));
      const { user } = await call('create_workspace_user', { username: 'grace@example.com', displayName: 'Grace' });
      const { users } = await call('list_workspace_users');
      expect(users).toMatchObject([{ _id: user._id, username: 'grace@example.com' }]);

      const asGrace = await aClient({ user: ada, headers: { 'x-service-user-id': user._id } });
      const { body } = await stage.call(asGrace, 'account_context');
      expect(body.context.actorUserId).toBe(user._id);
      expect(await call('workspace_detach_user', { userId: user._id })).toEqual({ success: true });
    });
  });

  test('an error of any tool reaches the agent with its code and hint', async () => {
    const eve = await stage.aUser();
    await stage.app.db
      .updateTable('users')
      .set({ mcp_access: false, workspace_enabled: true })
      .where('id', '=', eve.id)
      .execute();
    const refused = await aClient({ user: eve });
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(30);
    for (const { name, inputSchema } of tools) {
      const args = sampleOf(inputSchema as JsonSchema) as Record<string, unknown>;
      expect([name, await stage.call(refused, name, args)]).toMatchObject([
        name,
        { isError: true, body: { code: 'MCP_ACCESS_DISABLED', hint: expect.stringContaining('operator') } },
      ]);
    }
  });

  test('every tool was called with success, and both instances did some of the work', async () => {
    const { tools } = await client.listTools();
    expect([...proven].sort()).toEqual(tools.map(({ name }) => name).sort());
    expect(Math.min(...stage.served())).toBeGreaterThan(20);
  });
}
