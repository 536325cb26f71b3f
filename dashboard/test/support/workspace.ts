import { enableWorkspace } from '../../../src/features/accounts/accounts.ts';
import type { Stage } from './stage.ts';

/** A workspace owner on the workspace page. */
export async function anOwner(stage: Stage) {
  const owner = await stage.signedIn();
  await enableWorkspace(stage.service.app, { user: owner.user.id });
  await owner.page.goto('/workspace');
  return owner;
}
