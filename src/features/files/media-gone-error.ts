import { PlatformError } from '../../platforms/kit/index.ts';

/** A file of a post cannot be published any more. Nothing was sent to the platform because of it. */
export class MediaGoneError extends PlatformError {
  override name = 'MediaGoneError';
  readonly mediaId: string;
  readonly mediaCode: MediaGoneCode;
  constructor(mediaId: string, mediaCode: MediaGoneCode, message: string) {
    super('rejected', message, { reason: message });
    this.mediaId = mediaId;
    this.mediaCode = mediaCode;
  }
}
/** As in the event that a scheduled post was returned to draft. */
export type MediaGoneCode = 'MEDIA_REFERENCE_MISSING' | 'MEDIA_UPLOAD_MISSING' | 'MEDIA_VALIDATION_FAILED';
