import { notifications } from '@mantine/notifications';

const id = 'draft-notice';

/** Reports that a scheduled post became a draft. After a change to its files, users may not expect that. */
export function showDraftNotice(cause: 'requested' | 'files changed') {
  const isUnexpected = cause === 'files changed';
  notifications.hide(id);
  notifications.show({
    id,
    // The buttons it mentions are at the bottom.
    position: 'top-center',
    message: `This post is a draft again${isUnexpected ? ' because its files changed' : ''}. Schedule it to publish it.`,
    ...(isUnexpected && { color: 'orange', autoClose: false }),
  });
}

/** Once the post is scheduled again or published. */
export const hideDraftNotice = () => notifications.hide(id);
