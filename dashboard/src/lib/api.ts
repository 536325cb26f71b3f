import { Crier } from '@crier/client';
import { noticeSignedOut } from './session-over.ts';

/** The API of the service that this page comes from. The browser sends the cookie of the session. */
export const crier = new Crier({
  baseUrl: window.location.origin,
  async fetch(url, init) {
    const response = await window.fetch(url, init);
    await noticeSignedOut(response);
    return response;
  },
});
