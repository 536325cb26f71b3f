import { setAccess } from '../../../src/features/accounts/operator/switches.ts';
import type { Stage } from './stage.ts';

/** A workspace owner on the workspace page. */
export async function anOwner(stage: Stage) {
  const owner = await stage.signedIn();
  await setAccess(stage.service.app, owner.user.id, { workspace: true });
  await owner.page.goto('/workspace');
  return owner;
}
