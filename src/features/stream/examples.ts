import { webhookEvents } from '../../foundation/events/catalogue.ts';

/** Examples for the API reference. A test validates each value against the schema of its route. */

export const triggerEvent = {
  request: { event: webhookEvents.postPublished.name },
  response: { success: true, eventId: 'test_0199f1c2a3b4c5d6e7f80915' },
};

export const streamEvents = {
  response: {
    event: 'target',
    data: {
      change: 'updated',
      postId: '0199f1c2a3b4c5d6e7f80912',
      postGroupId: '0199f1c2a3b4c5d6e7f80911',
      platform: 'mastodon',
      status: 'published',
      postedId: '112233445566778899',
      permalink: 'https://mastodon.social/@ada/112233445566778899',
      errorCode: null,
    },
  },
};
