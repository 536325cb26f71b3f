import { notifications } from '@mantine/notifications';

const id = 'draft-notice';

/** Says that a scheduled post became a draft. Where a change of its files is the cause, the person may not expect it. */
export function showDraftNotice(cause: 'requested' | 'files changed') {
  const isUnexpected = cause === 'files changed';
  notifications.hide(id);
  notifications.show({
    id,
    // The buttons that it mentions are below.
    position: 'top-center',
    message: `The post is a draft again${isUnexpected ? ', because its files changed' : ''}. It is not published until you schedule it.`,
    ...(isUnexpected && { color: 'orange', autoClose: false }),
  });
}

/** For a post that is scheduled again, or published. */
export const hideDraftNotice = () => notifications.hide(id);
