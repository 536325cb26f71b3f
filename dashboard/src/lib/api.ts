import { Crier } from '@crier/client';
import { actingForBrand } from './brands/brand.ts';
import { watchedFetch } from './live/connection.ts';

/**
 * The API on this page's origin. The browser sends the session cookie. Each call acts for the brand that the page shows
 * when it begins.
 */
export const crier = new Crier({
  baseUrl: window.location.origin,
  // Read once by each call.
  get fetch(): typeof fetch {
    const acting = actingForBrand();
    return (input, init) => watchedFetch(input, acting(init));
  },
});

/** Its requests reach the service even if the page is left, and act for the user that each call names. */
export const lastingCrier = new Crier({
  baseUrl: window.location.origin,
  fetch: (input, init) => watchedFetch(input, { ...init, keepalive: true }),
});
