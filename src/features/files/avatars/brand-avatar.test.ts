import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signedIn } from '../../../../test/support/service/media-service.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { setAccess } from '../../accounts/operator/switches.ts';

let service: TestService;
let owner: TestUser;
let brand: string;
beforeAll(async () => {
  service = await testService({ publicUrl: 'https://crier.test' });
  owner = await anOwner();
  brand = await aBrand(owner, 'bakery@example.com');
});
afterAll(() => service.close());

async function anOwner() {
  const user = await service.aUser();
  await setAccess(service.app, user.id, { workspace: true });
  return user;
}
const aBrand = async (of: TestUser, username: string): Promise<string> =>
  (await of.call('POST', '/workspace/users', { username })).body.user._id;

const picture = (background: string, size = 300) =>
  sharp({ create: { width: size, height: 200, channels: 3, background } })
    .withExif({ IFD0: { Copyright: 'where-i-live' } })
    .png()
    .toBuffer();
const base64 = async (background: string) => (await picture(background)).toString('base64');
const set = (image: unknown, by = owner) => by.call('PUT', `/workspace/users/${brand}/avatar`, { image });
const shown = async (by = owner): Promise<string | undefined> =>
  (await by.call('GET', '/workspace/users')).body.users.find(({ _id }: { _id: string }) => _id === brand)?.avatarPath;

describe('[workspace.avatar] the picture of a brand', () => {
  test('is stored as a small WebP without metadata, and shown to the owner in the dashboard', async () => {
    expect(await shown()).toBeUndefined();
    expect((await owner.call('GET', `/workspace/users/${brand}/avatar`)).body.error).toBe('This brand has no picture');
    expect((await set(await base64('#e01010'))).status).toBe(200);
    const path = await shown();
    const answer = await service.server.inject({ url: path!, headers: await signedIn(service, owner) });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/webp']);
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 128, height: 128 });
    expect(answer.rawPayload.toString('latin1')).not.toContain('where-i-live');
  });

  test('has another address when it changes, and is gone when it is removed', async () => {
    await set(await base64('#10e010'));
    const first = await shown();
    await new Promise((resolve) => setTimeout(resolve, 2));
    await set(await base64('#1010e0'));
    expect(await shown()).not.toBe(first);
    for (const _ of [1, 2]) expect((await owner.call('DELETE', `/workspace/users/${brand}/avatar`)).status).toBe(200);
    expect(await shown()).toBeUndefined();
  });

  test('is deleted with its colour when the user leaves the workspace', async () => {
    const left = await aBrand(owner, 'left@example.com');
    await owner.call('PUT', `/workspace/users/${left}/avatar`, { image: await base64('#e01010') });
    await owner.call('PATCH', `/workspace/users/${left}`, { colour: 'red' });
    await owner.call('DELETE', `/workspace/users/${left}`);
    const { rows } = await service.database.pool.query(
      'select brand_colour, (select count(*)::int from brand_avatars where user_id = id) as pictures from users where id = $1',
      [left],
    );
    expect(rows).toEqual([{ brand_colour: null, pictures: 0 }]);
  });

  test.for([
    ['no picture', Buffer.from('no picture at all').toString('base64')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')],
    ['no Base64', 'not base64!'],
    ['nothing', undefined],
    ['more than 512 KB', 'A'.repeat(700_000)],
  ])('is not %s', async ([, image]) => {
    expect(await set(image)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^image must be a JPEG/) },
    });
  });

  test('is neither seen nor changed by the owner of another workspace, nor without one', async () => {
    const image = await base64('#e01010');
    await set(image);
    const path = `/workspace/users/${brand}/avatar`;
    const rival = await anOwner();
    expect((await rival.call('GET', path)).status).toBe(404);
    expect((await set(image, rival)).status).toBe(404);
    expect((await rival.call('DELETE', path)).status).toBe(404);
    const plain = await service.aUser();
    expect((await plain.call('GET', path)).status).toBe(403);
    expect((await set(image, plain)).status).toBe(403);
  });
});
