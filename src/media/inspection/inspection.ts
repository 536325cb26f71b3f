/** What the bytes of a stored file say about it. */
export type Inspection = ImageInspection | VideoInspection | DocumentInspection;

export interface ImageInspection extends FileType {
  readonly kind: 'image';
  readonly size: number;
  /** As shown: after the EXIF orientation. */
  readonly width: number;
  readonly height: number;
  /** More than one: an animated GIF or WebP. */
  readonly frames: number;
}

export interface VideoInspection extends FileType {
  readonly kind: 'video';
  readonly size: number;
  /** As shown: after rotation and pixel shape. */
  readonly width: number;
  readonly height: number;
  readonly durationSeconds: number | null;
  readonly frameRate: number | null;
  /** The name ffprobe gives: h264, hevc, vp9; a codec without one keeps its code in the file. */
  readonly codecName: string | null;
  /** Bits per second of the whole file, sound included. */
  readonly bitRate: number | null;
}

export interface DocumentInspection extends FileType {
  readonly kind: 'document';
  readonly size: number;
  /** Null where the file does not let us count: damaged tables, encrypted object streams. */
  readonly pageCount: number | null;
  readonly encrypted: boolean;
}

export interface FileType {
  readonly kind: 'image' | 'video' | 'document';
  readonly mimeType: string;
  readonly format: string;
}

export type InspectionCode = 'PROBE_FAILED' | 'PROBE_TIMEOUT' | 'PROBE_BUSY' | 'MEDIA_FILE_INDETERMINATE_TYPE';

/** The file's fault, or ours for lack of room or time. Faults of the storage pass through as they came. */
export class InspectionError extends Error {
  override readonly name = 'InspectionError';
  readonly code: InspectionCode;

  constructor(code: InspectionCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

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
