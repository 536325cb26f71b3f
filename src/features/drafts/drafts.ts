import type { App } from '../../app.ts';
import type { Db } from '../../foundation/db/database.ts';
import { draftLimits } from '../../foundation/errors/drafts.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { readInTurn } from '../../foundation/http/answers/long-reads.ts';
import { offsetOf, type Page, paginationOf } from '../../foundation/http/pages.ts';
import { isNestedDeeper } from '../../foundation/lib/json.ts';
import { type Caller, inLiveTurn } from '../auth/api-keys/live-credential.ts';
import {
  countDrafts,
  type DraftRow,
  deleteDraftRow,
  findDraft,
  findRepeated,
  insertDraft,
  lockDrafts,
  replaceDraft,
  type Save,
  selectDrafts,
  sumBytes,
} from './queries.ts';
import { presentDraft } from './schema.ts';

/** A page of the user's drafts, newest first. */
export async function listDrafts({ db }: Pick<App, 'db' | 'clock'>, { userId, ownerId }: Caller, page: Page) {
  const read = async () => ({
    rows: await selectDrafts(db, userId, { ...page, offset: offsetOf(page) }),
    total: await countDrafts(db, userId),
  });
  const { rows, total } = await readInTurn(ownerId, read, (found) =>
    found.rows.reduce((sum, { size }) => sum + size, 0),
  );
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
  app: Pick<App, 'db' | 'clock'>,
  who: Caller,
  id: string,
  { version, draft }: { version: number; draft: object },
): Promise<DraftRow> {
  const { db, clock } = app;
  const { userId, ownerId } = who;
  const save: Save = { userId, id, version, json: jsonOf(draft), now: clock.now() };
  const saved = await inLiveTurn(app, who, () => db.transaction().execute((tx) => store(tx, ownerId, save)));
  const stored = saved ?? (await findRepeated(db, save));
  if (stored) return stored;
  const current = await findDraft(db, userId, id);
  throw new Problem('draft_changed', { current: current && presentDraft(current) });
}

export async function removeDraft({ db }: Pick<App, 'db' | 'clock'>, userId: string, id: string) {
  if (!(await deleteDraftRow(db, userId, id))) throw new Problem('composer_draft_not_found');
}

/** One save per owner at a time, so that concurrent ones do not exceed a limit together. */
async function store(tx: Db, ownerId: string, save: Save): Promise<DraftRow | null> {
  await lockDrafts(tx, ownerId);
  const before = await sumBytes(tx, ownerId);
  const saved = save.version === 0 ? await insertDraft(tx, save) : await replaceDraft(tx, save);
  if (save.version === 0 && saved && (await countDrafts(tx, save.userId)) > draftLimits.perUser)
    throw limitReached('drafts.composer', { limit: draftLimits.perUser, used: draftLimits.perUser, requested: 1 });
  const requested = (await sumBytes(tx, ownerId)) - before;
  // A draft can always become shorter.
  if (requested > 0 && before + requested > draftLimits.bytesPerOwner)
    throw limitReached('drafts.composer_bytes', { limit: draftLimits.bytesPerOwner, used: before, requested });
  return saved;
}

/** The same fields as for the quotas of a plan. */
const limitReached = (metric: string, facts: { limit: number; used: number; requested: number }) =>
  new Problem('composer_draft_limit_reached', {
    metric,
    ...facts,
    remaining: Math.max(0, facts.limit - facts.used),
  });

function jsonOf(draft: object): string {
  if (isNestedDeeper(draft, draftLimits.levels)) throw new Problem('composer_draft_too_deep');
  const json = JSON.stringify(draft);
  if (Buffer.byteLength(json) > draftLimits.bytes) throw new Problem('composer_draft_too_large');
  return json;
}
