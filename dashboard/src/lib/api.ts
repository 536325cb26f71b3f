import { Crier } from '@crier/client';
import { watchedFetch } from './live/connection.ts';

/** The API on this page's origin. The browser sends the session cookie. */
export const crier = new Crier({ baseUrl: window.location.origin, fetch: watchedFetch });
