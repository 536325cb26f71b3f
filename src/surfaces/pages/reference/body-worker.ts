import { parentPort, workerData } from 'node:worker_threads';
import { referenceBody } from './body.ts';

parentPort?.postMessage(referenceBody(workerData.openapi, workerData.other));
