import { setAccess } from '../../../src/features/accounts/operator/switches.ts';
import { connectSandboxAccount } from '../../../src/features/connections/connect/sandbox.ts';
import type { PlatformId } from '../../../src/platforms/index.ts';
import type { PageOptions, Stage, StageUser, UserOptions } from './stage.ts';

/** A workspace owner on the workspace page. */
export async function anOwner(stage: Stage) {
  const owner = await stage.signedIn();
  await setAccess(stage.service.app, owner.user.id, { workspace: true });
  await owner.page.goto('/workspace');
  return owner;
}

export interface TestBrand {
  id: string;
  /** Connection IDs in the order of `networks`. */
  channels: string[];
  /** A call that acts for this brand. */
  call(method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: object): ReturnType<StageUser['call']>;
}

/** A page of an owner with brands. Each brand has these networks. */
export async function anAgency<Name extends string>(
  stage: Stage,
  brands: Record<Name, readonly PlatformId[]>,
  options: PageOptions & UserOptions = {},
) {
  const { page, user: owner } = await stage.signedIn({ plan: 'agency', ...options });
  await setAccess(stage.service.app, owner.id, { workspace: true });
  const made = {} as Record<Name, TestBrand>;
  for (const [displayName, networks] of Object.entries(brands) as [Name, readonly PlatformId[]][]) {
    const username = `${displayName.toLowerCase()}-${owner.id}@example.com`;
    const { body } = await owner.call('POST', '/workspace/users', { username, displayName });
    const id: string = body.user._id;
    const channels: string[] = [];
    for (const platform of networks) {
      const account = { platform, handle: `${displayName.toLowerCase()}${owner.id.slice(-6)}` };
      const { app, sandbox } = stage.service;
      channels.push((await connectSandboxAccount(app, sandbox.url, id, account)).platformId);
    }
    const call: TestBrand['call'] = (method, path, given) =>
      owner.call(method, path, given, { 'x-service-user-id': id });
    made[displayName] = { id, channels, call };
  }
  return { page, owner, brands: made };
}
