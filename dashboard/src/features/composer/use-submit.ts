import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { notifyError, notifyWithActions, notifyWithUndo } from '../../components/notify.tsx';
import { asOwnerOf, useBrand } from '../../lib/brands/brand.ts';
import { usePageBrand } from '../../lib/brands/use-brands.ts';
import { planningPageOf } from '../../lib/planning-page.ts';
import { postQuery } from '../../lib/queries.ts';
import { keys } from '../../lib/query-keys.ts';
import { useTimePreferences } from '../../lib/time/preferences.ts';
import { formatDateTime } from '../../lib/time/time.ts';
import { keepLastChannels } from './channels/last-used.ts';
import type { Attached } from './media/staged-files.ts';
import { type Autosaver, isScheduled } from './saving/autosaver.ts';
import { hideDraftNotice } from './saving/draft-notice.ts';
import { changeStatus, updatePost } from './saving/effects.ts';
import type { When } from './schedule/when.ts';

export type Wanted = 'draft' | 'schedule' | 'queue' | 'publish' | 'unschedule';

/** What the buttons of the composer do. */
export function useSubmit(
  saver: Autosaver,
  { attached, when, timeZone, userId }: { attached: Attached; when: When; timeZone: string; userId: string },
) {
  const navigate = useNavigate();
  const { history } = useRouter();
  const brand = useBrand() ?? undefined;
  const brandName = usePageBrand()?.name;
  const client = useQueryClient();
  const preferences = useTimePreferences();
  const refresh = (postGroupId: string) => {
    void client.invalidateQueries({ queryKey: keys.posts });
    return client.invalidateQueries({ queryKey: keys.post(postGroupId) });
  };
  const setStatus = async (status: 'draft' | 'scheduled') => {
    // The page may show another brand by now.
    await saver.changeStatus((place) => changeStatus(place, status, asOwnerOf({ userId: brand ?? userId })));
    if (saver.place.kind === 'post') await refresh(saver.place.postGroupId);
  };
  /** The service chooses the slot of a queued post. */
  const scheduledAt = async (wanted: Wanted, postGroupId: string) => {
    if (wanted === 'queue') return (await client.fetchQuery(postQuery(postGroupId))).scheduledTime;
    return wanted === 'schedule' && when.kind === 'at' ? when.at : null;
  };
  return useMutation({
    async mutationFn(wanted: Wanted) {
      const wasScheduled = isScheduled(saver.place);
      if (wanted === 'draft') return { wasScheduled, isDone: await saver.flush() };
      if (wanted === 'unschedule') await setStatus('draft');
      else
        await saver.submit((place, drafts) =>
          updatePost(place, { ...drafts, attached }, fieldsFor(wanted, when), timeZone),
        );
      return { wasScheduled, isDone: true };
    },
    onError() {
      // Its files may have changed, which turns a scheduled post into a draft.
      if (saver.place.kind === 'post') void refresh(saver.place.postGroupId);
    },
    async onSuccess({ wasScheduled, isDone }, wanted) {
      const { place } = saver;
      if (!isDone || place.kind !== 'post') return;
      const { postGroupId } = place;
      if (wanted === 'draft') {
        void refresh(postGroupId);
        notifications.show({ message: 'Draft saved.', position: 'top-center' });
        return;
      }
      if (wanted === 'unschedule') {
        const undo = () => setStatus('scheduled').catch((error) => notifyError('The post is still a draft', error));
        notifyWithUndo('Unscheduled. The post is a draft and won’t be published.', () => void undo());
        return;
      }
      hideDraftNotice();
      keepLastChannels(userId, saver.draft.channels);
      await refresh(postGroupId);
      const at = await scheduledAt(wanted, postGroupId);
      const post = { params: { postGroupId }, search: { brand } };
      const view = () => navigate({ to: '/posts/$postGroupId', ...post });
      // Those who came from the calendar, the queue or the list go on planning there.
      const planningPage = at && planningPageOf(brand ?? null);
      if (planningPage) history.push(planningPage);
      else await view();
      if (!at) return;
      const unschedule = async () => {
        await setStatus('draft');
        await navigate({ to: '/compose/$postGroupId', ...post });
      };
      const scheduled = `${wasScheduled ? 'Changes saved. ' : ''}Scheduled for ${formatDateTime(at, preferences)}`;
      notifyWithActions([scheduled, brandName].filter(Boolean).join(' · '), {
        View: () => void view(),
        // Unscheduling wouldn't undo a change.
        ...(!wasScheduled && {
          Undo: () => void unschedule().catch((error) => notifyError('The post is still scheduled', error)),
        }),
      });
    },
  });
}

function fieldsFor(wanted: 'schedule' | 'queue' | 'publish', when: When) {
  if (wanted === 'queue') return { status: 'scheduled' as const, scheduledTime: 'next-slot' };
  if (wanted === 'publish') return { publishNow: true };
  if (when.kind !== 'at') throw new Error('Choose a date and time first.');
  return { status: 'scheduled' as const, scheduledTime: when.at.toISOString() };
}
