/** Examples for the API reference. A test validates each value against the schema of its route. */

const key = 'images/1772000000000-1-9f8e7d6c-logo.png';

export const uploadToLibrary = {
  request: { fileName: 'logo.png', contentType: 'image/png', altText: 'The logo of the café.', labels: ['brand'] },
  response: {
    success: true,
    uploadUrl: `https://crier.example.com/media/upload/${key}?expires=1772003600&signature=…`,
    fileUrl: `https://crier.example.com/media/${key}`,
    mediaId: '019a86c2f5117a2b4c6d8e0f',
  },
};

export const attachFromLibrary = {
  request: { mediaIds: ['019a86c2f5117a2b4c6d8e0f'] },
  response: { success: true, mediaIds: ['019a86c2f5228b3c5d7e9f10'] },
};
