import type { Bucket } from '../../../src/media/storage/s3.ts';
import type { RealServer } from './server.ts';

/** An S3 server that checks signatures. Its bucket does not exist yet. */
export interface RealS3 extends RealServer {
  readonly bucket: Bucket;
  /** Moves the clock of the server. */
  advance(seconds: number): void;
}
