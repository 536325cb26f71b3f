import type { App } from '../../app.ts';
import type { Db } from '../../foundation/db/database.ts';
import { draftLimits } from '../../foundation/errors/drafts.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { requireFewLongAnswers } from '../../foundation/http/answers/long-answers.ts';
import { offsetOf, type Page, paginationOf } from '../../foundation/http/pages.ts';
import { isNestedDeeper } from '../../foundation/lib/json.ts';
import { inLockTurn } from '../users/lock-turns.ts';
import {
  countDrafts,
  type DraftRow,
  deleteDraftRow,
  findDraft,
  findRepeated,
  insertDraft,
  lockNewDrafts,
  replaceDraft,
  type Save,
  selectDrafts,
} from './queries.ts';
import { presentDraft } from './schema.ts';

export const maxDrafts = 500;

/** A page of the user's drafts, newest first. */
export async function listDrafts({ db }: Pick<App, 'db' | 'clock'>, userId: string, page: Page) {
  requireFewLongAnswers(userId);
  const [rows, total] = [
    await selectDrafts(db, userId, { ...page, offset: offsetOf(page) }),
    await countDrafts(db, userId),
  ];
  return { drafts: rows.map(presentDraft), pagination: paginationOf(page, total) };
}

export async function readDraft({ db }: Pick<App, 'db' | 'clock'>, userId: string, id: string): Promise<DraftRow> {
  const found = await findDraft(db, userId, id);
  if (!found) throw new Problem('composer_draft_not_found');
  return found;
}

/**
 * Replaces only the version that the client has read, so that other changes are never overwritten unseen. A save that
 * is repeated after a lost response gets the same response again.
 */
export async function saveDraft(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  userId: string,
  id: string,
  { version, draft }: { version: number; draft: object },
): Promise<DraftRow> {
  const save: Save = { userId, id, version, json: jsonOf(draft), now: clock.now() };
  const saved = version === 0 ? await addDraft(db, save) : await replaceDraft(db, save);
  const stored = saved ?? (await findRepeated(db, save));
  if (stored) return stored;
  const current = await findDraft(db, userId, id);
  throw new Problem('draft_changed', { current: current && presentDraft(current) });
}

export async function removeDraft({ db }: Pick<App, 'db' | 'clock'>, userId: string, id: string) {
  if (!(await deleteDraftRow(db, userId, id))) throw new Problem('composer_draft_not_found');
}

function addDraft(db: App['db'], save: Save) {
  const add = async (tx: Db) => {
    await lockNewDrafts(tx, save.userId);
    const added = await insertDraft(tx, save);
    if (added && (await countDrafts(tx, save.userId)) > maxDrafts) throw limitReached();
    return added;
  };
  return inLockTurn(save.userId, () => db.transaction().execute(add));
}

/** The same fields as for the quotas of a plan. */
const limitReached = () =>
  new Problem('composer_draft_limit_reached', {
    metric: 'drafts.composer',
    limit: maxDrafts,
    used: maxDrafts,
    requested: 1,
    remaining: 0,
  });

function jsonOf(draft: object): string {
  if (isNestedDeeper(draft, draftLimits.levels)) throw new Problem('composer_draft_too_deep');
  const json = JSON.stringify(draft);
  if (Buffer.byteLength(json) > draftLimits.bytes) throw new Problem('composer_draft_too_large');
  return json;
}
