import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { withManagedUser } from '../../accounts/workspace/workspace.ts';
import type { Credential } from '../../auth/api-keys/live-credential.ts';
import { deleteBrandAvatar, findBrandAvatar, storeBrandAvatar } from './avatar-queries.ts';
import { encodeAvatar } from './fetch-avatar.ts';

/** The pictures that the owner of a workspace gives to managed users, re-encoded like those of connected accounts. */

interface Brand {
  ownerId: string;
  userId: string;
}

export async function setBrandAvatar(
  app: Pick<App, 'db' | 'clock' | 'log'>,
  { ownerId, userId }: Brand,
  base64: string,
  credential: Credential,
): Promise<void> {
  const image = await encodeAvatar(ownerId, Buffer.from(base64, 'base64')).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : error;
    app.log.info({ userId, reason }, 'the picture of a brand was refused');
    throw new Problem('brand_avatar_invalid');
  });
  await withManagedUser(app, ownerId, userId, credential, (tx) => storeBrandAvatar(tx, userId, image, app.clock.now()));
}

/** Does nothing if there is none. */
export async function removeBrandAvatar(app: Pick<App, 'db' | 'clock'>, { ownerId, userId }: Brand): Promise<void> {
  await withManagedUser(app, ownerId, userId, null, (tx) => deleteBrandAvatar(tx, userId));
}

export async function brandAvatar({ db }: Pick<App, 'db'>, { ownerId, userId }: Brand): Promise<Buffer> {
  const image = await findBrandAvatar(db, ownerId, userId);
  if (!image) throw new Problem('brand_avatar_missing');
  return image;
}
