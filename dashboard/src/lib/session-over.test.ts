import { afterEach, expect, test } from 'vitest';
import { noticeSignedOut, onSignedInAgain, setSessionOver } from './session-over.ts';

afterEach(() => setSessionOver(false));

test.each(['API_KEY_REQUIRED', 'SESSION_REQUIRED'])(
  'an ended session (%s) is reported in words for people',
  async (code) => {
    const body = {
      error: 'API key is required',
      hint: 'Send your API key in the header x-service-key.',
      code,
      requestId: 'r1',
    };
    const shown = await noticeSignedOut(Response.json(body, { status: 401 }));
    expect(shown.status).toBe(401);
    expect(await shown.json()).toEqual({ success: false, error: 'You’ve been signed out.', code, requestId: 'r1' });
    let isSignedInAgain = false;
    onSignedInAgain(() => {
      isSignedInAgain = true;
    });
    setSessionOver(false);
    expect(isSignedInAgain).toBe(true);
  },
);

test('other responses stay as they are', async () => {
  const wrongPassword = Response.json(
    { error: 'Invalid email or password', code: 'INVALID_CREDENTIALS' },
    { status: 401 },
  );
  const fine = Response.json({ success: true });
  expect(await noticeSignedOut(wrongPassword)).toBe(wrongPassword);
  expect(await noticeSignedOut(fine)).toBe(fine);
});
