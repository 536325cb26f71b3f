/** Examples for the API reference. A test validates each value against the schema of its route. */
import { postUpdated } from '../posts/examples.ts';

const postGroupId = '019a86c2f4b07d3e5f8a9b0c';
const mediaId = '019a86c2f5117a2b4c6d8e0f';
const uploadUrl =
  'https://crier.example.com/media/upload/images/1772000000000-1-9f8e7d6c-launch.jpg?expires=1772003600&signature=…';
const demoted = {
  postGroupDemoted: true,
  message: 'Post was returned to draft because its media changed. Schedule it again with update-post.',
};

export const getUploadUrl = {
  request: { fileName: 'launch.jpg', contentType: 'image/jpeg', postGroupId },
  response: {
    success: true,
    uploadUrl,
    fileUrl: 'https://crier.example.com/media/images/1772000000000-1-9f8e7d6c-launch.jpg',
    mediaId,
  },
};

export const attachMedia = {
  request: {
    file: { download_url: 'https://example.com/launch.jpg', file_id: 'file-1', mime_type: 'image/jpeg' },
    fileName: 'launch.jpg',
  },
  response: { ...postUpdated, postGroup: { ...postUpdated.postGroup, status: 'draft' } },
};

const altText = 'The rocket leaves the launch pad at dawn.';
export const updateMedia = {
  request: { altText },
  response: {
    success: true,
    media: {
      mediaId,
      sourceFileName: 'launch.jpg',
      fileName: 'images/1772000000000-1-9f8e7d6c-launch.jpg',
      type: 'image',
      mimeType: 'image/jpeg',
      status: 'ready',
      failureReason: null,
      url: 'https://crier.example.com/media/images/1772000000000-1-9f8e7d6c-launch.jpg',
      altText,
      shared: true,
    },
  },
};

export const deleteMedia = { response: { success: true, ...demoted } };
export const pruneMediaReference = { response: { success: true } };

export const generateUploadUrl = {
  request: { fileName: 'launch.jpg', contentType: 'image/jpeg', postGroupId },
  response: { uploadUrl, key: 'images/1772000000000-1-9f8e7d6c-launch.jpg', mediaId, ...demoted },
};

const mediaIds = [mediaId, '019a86c2f5228b3c5d7e9f10'];
export const reorderMedia = { request: { mediaIds }, response: { success: true, mediaIds } };

const image = { mediaId, url: 'https://crier.example.com/media/images/1772000000000-2-1a2b3c4d-cover.jpg' };

export const uploadYoutubeThumbnail = {
  request: { thumbnail: '(the bytes of the image)', postGroupId },
  response: { success: true, thumbnail: image },
};

export const uploadInstagramCover = {
  request: { cover: '(the bytes of the image)', postGroupId },
  response: {
    success: true,
    cover: image,
    message: 'Cover uploaded. Set platformSettings.instagram.coverUrl to its url with update-post to use it.',
  },
};

const sessionId = '0b9f6a52-7c1d-4e8a-9f3b-2d4c6e8a0b1c';

export const processVideo = {
  request: { postGroupId, sessionId, video: '(the bytes of the video)' },
  response: {
    success: true,
    sessionId,
    mediaId,
    url: 'https://crier.example.com/media/videos/1772000000000-3-5e6f7a8b-launch.mp4',
  },
};

export const followVideoProcessing = {
  response: `event: progress\ndata: {"percent":42}\n\nevent: done\ndata: {"mediaId":"${mediaId}"}\n\n`,
};
