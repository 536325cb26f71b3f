import { Crier } from '@crier/client';
import { watchedFetch } from './live/connection.ts';

/** The API of the service that this page comes from. The browser sends the cookie of the session. */
export const crier = new Crier({ baseUrl: window.location.origin, fetch: watchedFetch });
