import { PlatformError, type PublishContext } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { resolveHandle } from './identity.ts';
import { type Dids, handlesIn } from './rich-text.ts';

type Ctx = PublishContext<Credentials>;

/** The accounts that the text mentions. They are looked up once, so every run sends the same record. */
export async function mentionedIn(text: string, step: string, ctx: Ctx): Promise<Dids> {
  const handles = handlesIn(text);
  if (handles.length === 0) return {};
  return ctx.step(step, async () => Object.fromEntries(await lookUp(handles, ctx)), { replayable: true });
}

async function lookUp(handles: readonly string[], ctx: Ctx) {
  const found = await Promise.all(handles.map(async (handle) => [handle, await didOf(handle, ctx)] as const));
  return found.filter((entry): entry is readonly [string, string] => entry[1] !== null);
}

/** A failed lookup does not fail the post: the mention stays plain text. */
async function didOf(handle: string, ctx: Ctx): Promise<string | null> {
  try {
    return await resolveHandle(handle, ctx.credentials.pds, ctx);
  } catch (error) {
    if (error instanceof PlatformError && !ctx.signal.aborted) return null;
    throw error;
  }
}
