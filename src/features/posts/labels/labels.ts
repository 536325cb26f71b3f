import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { labelLimits } from '../../../foundation/errors/labels.ts';
import { searchInTurn } from '../../../foundation/http/answers/long-reads.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { brandsOf, recheckBrands } from '../../users/brands.ts';
import {
  addLabels,
  countLabels,
  deleteUnusedLabels,
  type Label,
  lockNewLabels,
  selectLabels,
  setColour,
} from './queries.ts';

/** Assigns a colour to new labels. Call it after storing the post with them, in the same transaction. */
export async function keepLabels(
  { clock }: Pick<App, 'clock'>,
  tx: Db,
  { userId, labels }: { userId: string; labels: readonly string[] },
) {
  if (labels.length === 0) return;
  if (!(await addLabels(tx, userId, labels, clock.now()))) return;
  // One request per user at a time, so that posts with other new labels do not exceed the limit together.
  await lockNewLabels(tx, userId);
  if ((await countLabels(tx, userId)) <= labelLimits.perUser) return;
  await deleteUnusedLabels(tx, userId);
  if ((await countLabels(tx, userId)) > labelLimits.perUser) throw new Problem('label_limit_reached');
}

/** Finding out which labels are in use reads the index entries of many posts. */
export const listLabels = async ({ db }: Pick<App, 'db'>, { userId, ownerId }: Pick<Who, 'userId' | 'ownerId'>) => ({
  success: true as const,
  labels: await searchInTurn(ownerId, () => selectLabels(db, userId)),
});

/** The labels of the owner of a workspace and of all managed users, each read in its own turn. */
export async function listLabelsOfBrands(app: Pick<App, 'db' | 'clock'>, who: Who) {
  const recheck = recheckBrands(app, who);
  const labels: (Label & { userId: string })[] = [];
  for (const userId of await brandsOf(app.db, who, app.clock.now())) {
    const read = async () => {
      await recheck(userId);
      return selectLabels(app.db, userId);
    };
    const found = await searchInTurn(who.ownerId, read);
    labels.push(...found.map((label) => ({ ...label, userId })));
  }
  return { success: true as const, labels };
}

export async function changeLabel({ db }: Pick<App, 'db'>, { userId }: Who, wanted: Label) {
  const label = await setColour(db, userId, wanted);
  if (!label) throw new Problem('label_not_found');
  return { success: true as const, label };
}
