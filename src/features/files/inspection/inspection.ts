/** Type and metadata of a stored file, read from its bytes. */
export type Inspection = ImageInspection | VideoInspection | DocumentInspection;

export interface ImageInspection extends FileType {
  readonly kind: 'image';
  readonly size: number;
  /** After applying the EXIF orientation. */
  readonly width: number;
  readonly height: number;
  /** Animated GIFs and WebPs have more than one. */
  readonly frames: number;
}

/** The properties in a video container. Unknown numbers are null. */
export interface VideoMetadata {
  /** After applying rotation and pixel aspect ratio. */
  readonly width: number;
  readonly height: number;
  readonly durationSeconds: number | null;
  readonly frameRate: number | null;
  /** The name that ffprobe uses (h264, hevc, vp9), or the code in the file if there is none. */
  readonly codecName: string | null;
}

export interface VideoInspection extends FileType, VideoMetadata {
  readonly kind: 'video';
  readonly size: number;
  /** Bits per second of the whole file, including audio. */
  readonly bitRate: number | null;
}

export interface DocumentInspection extends FileType {
  readonly kind: 'document';
  readonly size: number;
  /** Null if the pages cannot be counted: damaged tables, encrypted object streams. */
  readonly pageCount: number | null;
  readonly encrypted: boolean;
}

export interface FileType {
  readonly kind: 'image' | 'video' | 'document';
  readonly mimeType: string;
  readonly format: string;
}

export type InspectionCode = 'PROBE_FAILED' | 'PROBE_TIMEOUT' | 'PROBE_BUSY' | 'MEDIA_FILE_INDETERMINATE_TYPE';

/** The file is invalid, or the process had no capacity or time for it. Storage errors are thrown unchanged. */
export class InspectionError extends Error {
  override readonly name = 'InspectionError';
  readonly code: InspectionCode;

  constructor(code: InspectionCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export const busy = () =>
  new InspectionError('PROBE_BUSY', 'Too many of your files are being checked. Try again in a few seconds.');

/** The contract's `metadata` of a media record. */
export interface MediaMetadata {
  size: number;
  width: number | null;
  height: number | null;
  aspectRatio: number | null;
  format: string;
  frameRate: number | null;
  codecName: string | null;
  bitRate: number | null;
  duration: number | null;
}

export function metadataOf(inspection: Inspection): MediaMetadata {
  const { size, format } = inspection;
  const { width, height } = inspection.kind === 'document' ? { width: null, height: null } : inspection;
  const aspectRatio = width && height ? width / height : null;
  const motion = inspection.kind === 'video' ? inspection : null;
  return {
    size,
    width,
    height,
    aspectRatio,
    format,
    frameRate: motion?.frameRate ?? null,
    codecName: motion?.codecName ?? null,
    bitRate: motion?.bitRate ?? null,
    duration: motion?.durationSeconds ?? null,
  };
}
