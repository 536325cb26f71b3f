import { Text } from '@mantine/core';
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { notifyWithActions } from '../../../components/notify.tsx';
import { type BrandSearch, useBrand } from '../../../lib/brands/brand.ts';
import { usePageBrand } from '../../../lib/brands/use-brands.ts';
import { useSessionOver } from '../../../lib/session-over.ts';
import { type Autosaver, isScheduled } from './autosaver.ts';

/** Saves changes before leaving. If that fails, asks the user. */
export function LeaveGuard({ saver }: { saver: Autosaver }) {
  const isSignedOut = useSessionOver();
  const reportDraft = useDraftReport(saver);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      const isWithin = isComposer(current) && isComposer(next) && brandIn(current) === brandIn(next);
      const isStaying = isWithin && isOwn(saver, next);
      if (saver.hasUnsaved && !isStaying) {
        if (isScheduled(saver.place)) return true;
        if (!(await saver.flush())) return true;
      }
      if (!isStaying) reportDraft(next);
      return false;
    },
    enableBeforeUnload: () => saver.hasUnsaved,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title="Leave without saving?"
      confirm="Leave"
      cancel="Stay"
      opened
      action={{ mutate: proceed }}
      onClose={reset}
    >
      <Text size="sm">
        Your latest changes aren’t saved on the server.{' '}
        {isSignedOut
          ? 'You’ve signed out, so this browser no longer keeps them. Stay and sign in again to save them.'
          : 'This browser keeps them and restores them when you reopen this post here.'}
      </Text>
    </ConfirmDialog>
  );
}

/** Says where the text is after a switch to another brand, whose composer is empty. */
function useDraftReport(saver: Autosaver) {
  const navigate = useNavigate();
  const brand = useBrand() ?? undefined;
  const name = usePageBrand()?.name;
  return (next: Page) => {
    const { place } = saver;
    if (brandIn(next) === brand || saver.state().kind !== 'saved' || isScheduled(place)) return;
    notifyWithActions(name ? `Saved as a draft of ${name}.` : 'Saved as a draft of your account.', {
      Open: () =>
        void (place.kind === 'post'
          ? navigate({ to: '/compose/$postGroupId', params: place, search: { brand } })
          : navigate({ to: '/compose', search: { brand, draft: place.kind === 'draft' ? place.draftId : undefined } })),
    });
  };
}

interface Page {
  fullPath: string;
  search: object;
}

const isComposer = ({ fullPath }: Page) => fullPath.startsWith('/compose');
const brandIn = ({ search }: Page) => (search as BrandSearch).brand;

/** Whether the new address belongs to the draft in this composer. */
function isOwn({ place }: Autosaver, { params, search }: { params: object; search: object }): boolean {
  const { postGroupId, draft }: { postGroupId?: string; draft?: string } = { ...params, ...search };
  if (place.kind === 'post') return postGroupId === place.postGroupId;
  return postGroupId === undefined && draft === (place.kind === 'draft' ? place.draftId : undefined);
}
