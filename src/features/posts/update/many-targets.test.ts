import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../../../../test/support/service/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const targets = 300;
const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** How often lists with at least this many entries were searched from their start while `work` ran. */
async function searchesOf(length: number, work: () => Promise<void>): Promise<number> {
  let searches = 0;
  const names = ['includes', 'indexOf', 'find', 'findIndex'] as const;
  const originals = names.map((name) => [name, Object.getOwnPropertyDescriptor(Array.prototype, name)!] as const);
  for (const [name, original] of originals) {
    const value = function counted(this: unknown[], ...args: unknown[]) {
      if (this.length >= length) searches += 1;
      return original.value.apply(this, args);
    };
    Object.defineProperty(Array.prototype, name, { ...original, value });
  }
  try {
    await work();
  } finally {
    for (const [name, original] of originals) Object.defineProperty(Array.prototype, name, original);
  }
  return searches;
}

test('an edit does not search the targets of a post once for each target', async () => {
  const ada = await service.aUser({ plan: 'premium_legacy' });
  const { rows } = await service.database.pool.query<{ platformId: string }>(
    `insert into connections (id, user_id, platform, account_id, handle, display_name, credentials, scopes)
     select substr(md5($1 || n), 1, 24), $1, 'twitter', n, '', '', 'x', '{}' from generate_series(1, $2) n
     returning 'twitter-' || account_id as "platformId"`,
    [ada.id, targets + 1],
  );
  const [last, ...platforms] = rows.map(({ platformId }) => platformId).reverse();
  const texts = (own: string) => Object.fromEntries(platforms.map((id) => [id, `${own} ${id}`]));
  const created = await ada.call('POST', '/create-post', { content: 'x', platforms, scheduledTime: at(1) });
  expect(created.body).toMatchObject({ success: true });
  const { postGroupId } = created.body;
  const update = (body: object) => ada.call('PUT', `/update-post/${postGroupId}`, body);
  // An edit of the text, of the time, of the list of connections, and of a draft.
  const edits = [
    { platformContent: texts('Own') },
    { scheduledTime: at(2) },
    { platforms: [...platforms.slice(1), last] },
    { status: 'draft' },
    { status: 'scheduled', scheduledTime: at(3) },
  ];
  const searches = await searchesOf(targets, async () => {
    for (const edit of edits) expect((await update(edit)).body).toMatchObject({ success: true });
  });
  expect(searches).toBeLessThan(targets / 10);
  const { rows: stored } = await service.database.pool.query(
    `select count(*)::int as posts, count(reserved_owner_id)::int as reserved
     from platform_posts where post_group_id = $1`,
    [postGroupId],
  );
  expect(stored[0]).toMatchObject({ posts: targets, reserved: targets });
});
