import { notifications } from '@mantine/notifications';

const draftAgain = 'draft-again';

/** A scheduled post is a draft again, because the person wants it or because its files changed. Only the latter may be a surprise. */
export function sayDraftAgain(why: 'wanted' | 'files') {
  notifications.hide(draftAgain);
  notifications.show({
    id: draftAgain,
    // The buttons that it speaks of are below.
    position: 'top-center',
    message: `The post is a draft again${why === 'files' ? ', because its files changed' : ''}. It is not published until you schedule it.`,
    ...(why === 'files' && { color: 'orange', autoClose: false }),
  });
}

/** It is scheduled again, or published. */
export const endDraftAgain = () => notifications.hide(draftAgain);
