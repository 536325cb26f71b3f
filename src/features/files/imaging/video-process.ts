import { readVideo } from '../inspection/read-video.ts';
import { serveJobs } from './serve-jobs.ts';

/** The program of the processes that read the indexes of all videos. */
const jobs = { readVideo };
export type VideoJobs = typeof jobs;

serveJobs(jobs);
