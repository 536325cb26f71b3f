export { attachMedia, identityOf, readReference } from './attach-media.ts';
export { pruneReference, removeMedia, reorderMedia } from './remove-media.ts';
export { updateMedia } from './update-media.ts';
export { createUpload, requireContentType } from './uploads/upload-url.ts';
