/** Examples for the API reference. A test validates each value against the schema of its route. */

export const completeMedia = {
  response: {
    success: true,
    mediaFile: {
      _id: '019a86c2f5117a2b4c6d8e0f',
      type: 'image',
      mimeType: 'image/jpeg',
      fileName: 'images/1772000000000-1-9f8e7d6c-launch.jpg',
      url: 'https://crier.example.com/media/images/1772000000000-1-9f8e7d6c-launch.jpg',
      status: 'ready',
      altText: null,
      metadata: {
        size: 482113,
        width: 1600,
        height: 900,
        aspectRatio: 1.7777777777777777,
        format: 'jpeg',
        frameRate: null,
        codecName: null,
        bitRate: null,
        duration: null,
      },
    },
  },
};

export const listMedia = {
  response: {
    success: true,
    media: [
      {
        _id: '019a86c2f5117a2b4c6d8e0f',
        fileName: 'launch.jpg',
        url: 'https://crier.example.com/media/images/1772000000000-1-9f8e7d6c-launch.jpg',
        type: 'image',
        contentType: 'image/jpeg',
        bytes: 482113,
        width: 1600,
        height: 900,
        durationSeconds: null,
        altText: 'The rocket leaves the launch pad at dawn.',
        labels: ['launch'],
        status: 'ready',
        createdAt: '2026-02-25T06:13:20.000Z',
        inLibrary: true,
        postCount: 1,
        posts: [{ postGroupId: '019a86c2f4b07d3e5f8a9b0c', status: 'draft', excerpt: 'We are live.' }],
      },
    ],
    pagination: { page: 1, limit: 20, totalItems: 1, totalPages: 1, hasNextPage: false, hasPrevPage: false },
  },
};
