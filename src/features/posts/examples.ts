/** Examples for the API reference. A test validates each value against the schema of its route. */

const postGroupId = '019a86c2f4b07d3e5f8a9b0c';
const scheduledTime = '2027-03-04T09:00:00.000Z';
const platforms = ['mastodon-109348222000000001', 'bluesky-did:plc:ewvi7nxzyoun6zhxrhs64oiz'];
const post = { content: 'We are live.', platforms, scheduledTime };

export const createPost = {
  request: {
    ...post,
    firstComments: [{ text: 'Read more: https://example.com', delaySeconds: 60 }],
  },
  response: {
    success: true,
    postGroupId,
    scheduledTime,
  },
};

export const validatePost = {
  request: { content: 'A picture is missing.', platforms: ['instagram-17841400000000001'], scheduledTime },
  response: {
    success: true,
    texts: [
      {
        platforms: ['instagram-17841400000000001'],
        length: 21,
        maxLength: 2200,
        counting: { unit: 'utf16' },
        parts: ['A picture is missing.'],
      },
    ],
    validation: {
      valid: false,
      errors: [
        {
          platform: 'instagram',
          code: 'MEDIA_REQUIRED',
          message: 'Instagram posts require media',
          field: 'media',
          severity: 'error',
          constraint: 'requiredType',
          suggestions: ['Upload an image or video for this platform'],
        },
      ],
      warnings: [],
      summary: { affectedPlatforms: ['instagram'], errorCount: 1, warningCount: 0 },
    },
  },
};

export const importExample = {
  request: {
    posts: [
      { ...post, idempotencyKey: 'launch-1' },
      { content: '', platforms, idempotencyKey: 'launch-2' },
    ],
  },
  response: {
    success: true,
    dryRun: false,
    succeeded: 1,
    failed: 1,
    results: [
      { idempotencyKey: 'launch-1', status: 200, response: { success: true, postGroupId, scheduledTime } },
      {
        idempotencyKey: 'launch-2',
        status: 400,
        response: { error: 'Content is required', code: 'CONTENT_REQUIRED' },
      },
    ],
  },
};

export const rescheduleExample = {
  request: { postGroupIds: [postGroupId], byMinutes: 60 },
  response: {
    success: true,
    succeeded: 1,
    failed: 0,
    results: [{ postGroupId, status: 200, scheduledTime: '2027-03-04T10:00:00.000Z' }],
  },
};

export const deleteManyExample = {
  request: { postGroupIds: [postGroupId] },
  response: { success: true, succeeded: 1, failed: 0, results: [{ postGroupId, status: 200 }] },
};

export const postUpdated = {
  success: true,
  message: 'Post updated successfully',
  scheduledTime,
  postGroup: { _id: postGroupId, status: 'scheduled', content: 'We are live.', platforms, scheduledTime },
};

export const updatePost = { request: { status: 'scheduled', scheduledTime }, response: postUpdated };

export const getPost = {
  response: {
    success: true,
    postGroupId,
    status: 'published',
    scheduledTime,
    platforms: platforms.slice(0, 1),
    platformSettings: {},
    firstComment: null,
    firstComments: [],
    posts: [
      {
        _id: '019a86c2f4b1a1b2c3d4e5f6',
        platform: 'mastodon',
        platformId: '109348222000000001',
        content: 'We are live.',
        status: 'published',
        postedId: '114100000000000001',
        permalink: 'https://mastodon.social/@ada/114100000000000001',
        isThread: false,
        threadParts: [],
        firstCommentResult: null,
        firstCommentResults: [],
      },
    ],
    media: [],
  },
};

export const getEditablePost = {
  response: {
    postGroupId,
    version: 3,
    status: 'scheduled',
    content: 'We are live.',
    platformContent: { [platforms[1]!]: 'We are live on Bluesky.' },
    platformMedia: {},
    platforms,
    scheduledTime,
    platformSettings: {},
    firstComments: [],
  },
};

export const listPosts = {
  response: {
    success: true,
    posts: [
      {
        postGroupId,
        content: 'We are live.',
        status: 'scheduled',
        scheduledTime,
        createdAt: '2027-03-01T12:00:00.000Z',
        updatedAt: '2027-03-01T12:00:00.000Z',
        platforms: [{ platformId: platforms[0], platform: 'mastodon', status: 'scheduled' }],
        posts: [
          {
            _id: '019a86c2f4b1a1b2c3d4e5f6',
            platform: 'mastodon',
            platformId: platforms[0],
            status: 'scheduled',
            postedId: null,
            permalink: null,
          },
        ],
        mediaUrls: [],
      },
    ],
    pagination: { page: 1, limit: 20, totalItems: 1, totalPages: 1, hasNextPage: false, hasPrevPage: false },
  },
};

export const getPostLogs = {
  response: {
    success: true,
    logs: [
      {
        _id: '019a86c2f4b2b1c2d3e4f5a6',
        postGroupId,
        postId: '019a86c2f4b1a1b2c3d4e5f6',
        platform: 'mastodon',
        event: 'processing',
        createdAt: '2027-03-04T09:00:00.112Z',
        updatedAt: '2027-03-04T09:00:00.112Z',
      },
    ],
  },
};

export const deletePost = { response: { success: true } };

export const listLabels = {
  response: { success: true, labels: [{ name: 'launch', colour: 'teal' }] },
};

export const changeLabel = {
  request: { colour: 'teal' },
  response: { success: true, label: { name: 'launch', colour: 'teal' } },
};
