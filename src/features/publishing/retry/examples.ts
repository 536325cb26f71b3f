/** Examples for the API reference. A test validates each value against the schema of its route. */

export const retryPost = {
  response: {
    success: true,
    postGroupId: '019a86c2f4b07d3e5f8a9b0c',
    retried: [{ _id: '019a86c2f4b1a1b2c3d4e5f6', platform: 'mastodon', platformId: 'mastodon-109348222000000001' }],
    notRetried: [
      {
        _id: '019a86c2f4b1a1b2c3d4e5f7',
        platform: 'bluesky',
        platformId: 'bluesky-did:plc:ewvi7nxzyoun6zhxrhs64oiz',
        reason: 'published',
        message: 'This post is already published.',
      },
    ],
  },
};
