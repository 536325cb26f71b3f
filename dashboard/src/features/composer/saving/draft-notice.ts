import { notifications } from '@mantine/notifications';

const id = 'draft-notice';

/** Reports that a scheduled post became a draft because its files changed, which users may not expect. */
export function showDraftNotice() {
  notifications.hide(id);
  notifications.show({
    id,
    // The buttons it mentions are at the bottom.
    position: 'top-center',
    message: 'This post is a draft again because its files changed. Schedule it to publish it.',
    color: 'orange',
    autoClose: false,
  });
}

/** Once the post is scheduled again or published. */
export const hideDraftNotice = () => notifications.hide(id);
