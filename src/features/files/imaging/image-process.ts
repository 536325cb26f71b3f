import sharp from 'sharp';
import { toAvatar } from './avatar.ts';
import { checkImage } from './check-image.ts';
import { isTurned, toGif, toJpeg } from './convert-image.ts';
import { serveJobs } from './serve-jobs.ts';

/** The program of the processes that decode all images. */
const jobs = { checkImage, isTurned, toAvatar, toGif, toJpeg };
export type ImageJobs = typeof jobs;

// The cache would keep pixels in memory and files open.
sharp.cache(false);
// One image uses one core, regardless of how many there are.
sharp.concurrency(1);
serveJobs(jobs);
