import { CrierError } from '@crier/client';
import { noticeSignedOut } from '../../lib/session-over.ts';
import type { Draft } from './draft.ts';

/** The routes that the composer needs besides those of posts and files. */

export interface StoredDraft {
  readonly version: number;
  readonly draft: Draft;
}

export const getDraft = (draftId: string) => call<StoredDraft>('GET', `/dashboard/drafts/${draftId}`);
export const saveDraft = (draftId: string, { version, draft }: StoredDraft) =>
  call<StoredDraft>('PUT', `/dashboard/drafts/${draftId}`, { version, draft });
export const deleteDraft = (draftId: string) => call<unknown>('DELETE', `/dashboard/drafts/${draftId}`);

export const updateAltText = (mediaId: string, altText: string) =>
  call<unknown>('PATCH', `/media/${mediaId}`, { altText });

export const getNextSlot = async (channels: readonly string[]) => {
  const platforms = encodeURIComponent(channels.join(','));
  return (await call<{ publishAt: string }>('GET', `/next-slot${platforms && `?platforms=${platforms}`}`)).publishAt;
};

export const getPostingSlots = async () => (await call<{ slots: unknown[] }>('GET', '/posting-slots')).slots;

interface Profile {
  readonly timeZone: string | null;
  readonly hourCycle: string | null;
}
export const getProfile = () => call<Profile>('GET', '/auth/profile');

/** Whether this service does not have the route. */
export const isMissingRoute = (error: unknown) => error instanceof CrierError && error.status === 404;

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const init = body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {};
  const response = await fetch(`/api/v1${path}`, { method, ...init }).catch((cause: unknown) => {
    throw new CrierError('The service cannot be reached.', { code: 'CONNECTION_LOST' }, { cause });
  });
  await noticeSignedOut(response);
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer as T;
  const { code = `HTTP_${response.status}`, message, error } = answer as Partial<Record<string, string>>;
  throw new CrierError(message ?? error ?? 'The service did not accept this.', {
    code,
    status: response.status,
    body: answer,
  });
}
