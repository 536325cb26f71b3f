import type { Page } from 'playwright-core';
import { testPassword } from '../../test/support/service/user.ts';
import { aHeicPhoto, anHevcVideo } from '../test/support/phone-files.ts';
import type { SampleWorkspace } from '../test/support/sample-workspace.ts';

/** A screenshot of a page in one state. To add one, add an entry to `scenes`. */
export interface Scene {
  /** The base name of the files. */
  readonly name: string;
  readonly path: string | ((sample: SampleWorkspace) => string);
  /**
   * The user. `busy`: after some weeks of use. `new`: empty account. `limited`: at the plan limits. `crowded`: 200 channels and
   * 5,000 posts. `signed-out`: not signed in. Default: `busy`.
   */
  readonly who?: 'busy' | 'new' | 'limited' | 'crowded' | 'signed-out';
  /** Fails the page's data requests, leaves them pending, or removes image files. Default: real responses. */
  readonly broken?: 'error' | 'loading' | 'pictures';
  /** Actions before the screenshot. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** Endless pages are captured up to the screen height. */
  readonly isEndless?: boolean;
}

/** Pages that every user has. */
const pages: readonly Pick<Scene, 'name' | 'path'>[] = [
  { name: 'calendar-month', path: '/calendar?view=month' },
  { name: 'calendar-week', path: '/calendar?view=week' },
  { name: 'calendar-day', path: '/calendar?view=day' },
  { name: 'calendar-list', path: '/calendar?view=list' },
  { name: 'queue', path: '/queue' },
  { name: 'queue-slots', path: '/queue?slots=edit' },
  { name: 'compose', path: '/compose' },
  { name: 'posts', path: '/posts' },
  { name: 'channels', path: '/channels' },
  { name: 'media', path: '/media' },
  { name: 'insights', path: '/insights' },
  { name: 'keys', path: '/developers/keys' },
  { name: 'webhooks', path: '/developers/webhooks' },
  { name: 'mcp', path: '/developers/mcp' },
  { name: 'requests', path: '/developers/requests' },
  { name: 'workspace', path: '/workspace' },
  { name: 'profile', path: '/settings/profile' },
  { name: 'security', path: '/settings/security' },
  { name: 'appearance', path: '/settings/appearance' },
  { name: 'usage', path: '/settings/usage' },
];

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const press = (key: string) => (page: Page) => page.keyboard.press(key);

/** As after a request to delete the account, which would end the sample. */
async function isLeaving(page: Page) {
  await page.route('**/api/v1/auth/session', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      json: { ...(await answer.json()), deletionAt: '2027-03-08T12:00:00.000Z' },
    });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Keep my account' }).waitFor();
}

async function write(page: Page) {
  for (const channel of await page.getByRole('group', { name: 'Post to' }).getByRole('button').all())
    if (await channel.isEnabled()) await channel.click();
  await page
    .getByLabel('Post text')
    .fill(
      'The harbour opens at six. What to bring, where to stand, and who to ask: https://example.com/harbour\n---\n' +
        'Second part: the boats leave one after the other, and the cafés open with the first of them. 🌊',
    );
  await page.getByLabel('Date').fill('tomorrow 9');
  await page.getByText(/^Saved /).waitFor();
}

/** Selects the first posts, and chooses what to do with them. */
async function changeSelected(page: Page, action: string) {
  for (const box of (await page.getByRole('row').getByRole('checkbox').all()).slice(1, 5)) await box.check();
  const bar = page.getByRole('region', { name: 'Selected posts' });
  const more = bar.getByRole('button', { name: 'More actions' });
  if (!(await more.isVisible())) return bar.getByRole('button', { name: action }).click();
  await more.click();
  return page.getByRole('menuitem', { name: action }).click();
}

/** Requests access like a new MCP client. */
async function askForAccess(page: Page) {
  const redirectUri = 'http://127.0.0.1:3999/callback';
  const client = { client_name: 'Claude Code', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' };
  const { client_id } = await (await page.request.post('/register', { data: client })).json();
  const asked = {
    response_type: 'code',
    client_id,
    redirect_uri: redirectUri,
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
    state: 'state',
  };
  await page.goto(`/authorize?${new URLSearchParams(asked)}`);
}

export const scenes: readonly Scene[] = [
  ...pages,
  ...pages.map((page): Scene => ({ ...page, name: `${page.name}-empty`, who: 'new' })),
  ...pages.map((page): Scene => ({ ...page, name: `${page.name}-error`, broken: 'error' })),
  ...pages.map((page): Scene => ({ ...page, name: `${page.name}-loading`, broken: 'loading' })),

  { name: 'sign-in', path: '/signin', who: 'signed-out' },
  {
    name: 'sign-in-refused',
    path: '/signin',
    who: 'signed-out',
    async act(page) {
      await page.getByLabel('Email').fill('ada@example.com');
      await page.getByLabel('Password', { exact: true }).fill('a guess');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'sign-up', path: '/signup', who: 'signed-out' },
  { name: 'connection-link', path: ({ connectionLink }) => new URL(connectionLink).pathname, who: 'signed-out' },
  { name: 'connection-link-expired', path: '/connect/not-a-link', who: 'signed-out' },
  {
    name: 'connection-link-form',
    path: ({ connectionLink }) => new URL(connectionLink).pathname,
    who: 'signed-out',
    act: (page) => page.getByText('Telegram', { exact: true }).click(),
  },
  { name: 'forgotten-password', path: '/forgot-password', who: 'signed-out' },
  { name: 'mail-link-gone', path: '/reset-password?token=not-a-token', who: 'signed-out' },
  { name: 'plain-sign-up', path: '/sign-up', who: 'signed-out' },
  { name: 'approve-sign-in', path: '/forgot-password', who: 'signed-out', act: askForAccess },
  { name: 'approve-access', path: '/forgot-password', act: askForAccess },
  { name: 'consent-refused', path: '/api/v1/connect/callback?state=unknown&code=x', who: 'signed-out' },
  { name: 'welcome', path: '/welcome', who: 'new' },

  { name: 'compose-written', path: '/compose', act: write },
  {
    name: 'compose-preview-tab',
    path: '/compose',
    async act(page) {
      await write(page);
      await page.setViewportSize({ width: 360, height: 780 });
      await page.getByRole('tab', { name: 'Preview' }).click();
    },
  },
  { name: 'compose-draft-with-pictures', path: ({ draft }) => `/compose/${draft}` },
  {
    name: 'compose-crop',
    path: ({ draft }) => `/compose/${draft}`,
    async act(page) {
      await page
        .getByRole('button', { name: /^Crop / })
        .first()
        .click();
      await page.getByRole('dialog', { name: 'Crop' }).getByRole('slider', { name: 'Zoom' }).waitFor();
    },
  },
  {
    name: 'compose-files-first',
    path: '/compose',
    async act(page) {
      for (const network of ['X', 'LinkedIn'])
        await page.getByRole('group', { name: 'Post to' }).getByRole('button', { name: network }).first().click();
      const choosing = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Add media' }).click();
      await (await choosing).setFiles([anHevcVideo, aHeicPhoto]);
      await page.getByText('is a HEIC photo').waitFor();
      await page.getByText('An HEVC video').waitFor();
    },
  },
  { name: 'compose-library', path: '/compose', act: button('Choose from library') },
  { name: 'compose-arabic', path: ({ arabic }) => `/compose/${arabic}` },
  { name: 'compose-long-word', path: ({ longWord }) => `/compose/${longWord}` },
  { name: 'post-published', path: ({ published }) => `/posts/${published}` },
  { name: 'post-failed', path: ({ failed }) => `/posts/${failed}` },
  { name: 'post-scheduled', path: ({ scheduled }) => `/posts/${scheduled}` },
  { name: 'post-arabic', path: ({ arabic }) => `/posts/${arabic}` },
  { name: 'post-long-word', path: ({ longWord }) => `/posts/${longWord}` },
  { name: 'post-deleted', path: `/posts/${'0'.repeat(24)}` },
  { name: 'posts-drafts', path: '/posts?status=draft' },
  { name: 'posts-failed', path: '/posts?status=failed' },
  { name: 'posts-no-match', path: '/posts?q=zebra' },
  {
    name: 'posts-selected',
    path: '/posts',
    async act(page) {
      for (const box of (await page.getByRole('row').getByRole('checkbox').all()).slice(1, 4)) await box.check();
    },
  },
  { name: 'posts-sorted', path: '/posts?sort=updated&order=asc&dates=last-90-days' },
  { name: 'posts-custom-dates', path: '/posts?dates=2026-01-01..2026-12-31', act: button(/^From: /) },
  {
    name: 'posts-deleted',
    path: '/posts?status=draft',
    async act(page) {
      // The next scenes need the post.
      await page.route('**/delete-posts', (route) => route.abort());
      await page.getByRole('row').getByRole('checkbox').nth(1).check();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Undo' }).hover();
    },
  },
  {
    name: 'posts-bulk-menu',
    path: '/posts',
    async act(page) {
      await page.getByRole('row').getByRole('checkbox').nth(1).check();
      await page.setViewportSize({ width: 360, height: 780 });
      await page.getByRole('button', { name: 'More actions' }).click();
    },
  },
  { name: 'dialog-labels', path: '/posts', act: button('Manage labels') },
  ...(
    [
      ['publish', 'Publish'],
      ['add-channel', 'Add channel'],
      ['add-label', 'Add label'],
      ['remove-label', 'Remove label'],
    ] as const
  ).map(
    ([name, label]): Scene => ({
      name: `dialog-bulk-${name}`,
      path: '/posts',
      act: (page) => changeSelected(page, label),
    }),
  ),
  {
    name: 'dialog-bulk-results',
    path: '/posts',
    async act(page) {
      await changeSelected(page, 'Add label');
      await page.getByRole('dialog').getByRole('combobox', { name: 'Labels' }).fill('launch');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Add label' }).click();
      await page.getByRole('button', { name: 'Done' }).waitFor();
    },
  },
  { name: 'import', path: '/posts/import' },
  {
    name: 'import-columns',
    path: '/posts/import',
    async act(page) {
      const choosing = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose file' }).click();
      const rows =
        'Datum;Uhrzeit;Notiz;Beitrag\n23.11.2030;9:00;intern;Eröffnung am Hafen\n24.11.2030;14:30;;Tag der offenen Tür';
      await (await choosing).setFiles({ name: 'plan.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) });
      await page.getByRole('table', { name: 'Columns of the file' }).waitFor();
    },
  },
  {
    name: 'compose-scheduled-changed',
    path: ({ scheduled }) => `/compose/${scheduled}`,
    async act(page) {
      await page.getByLabel('Post text').fill('Changed, but not saved yet');
      await page.getByRole('button', { name: 'Discard changes' }).waitFor();
    },
  },
  { name: 'compose-customise', path: ({ draft }) => `/compose/${draft}`, act: button('Customise') },
  { name: 'import-empty', path: '/posts/import', who: 'new' },
  { name: 'webhook', path: ({ webhook }) => `/developers/webhooks/${webhook}` },
  {
    name: 'webhook-delivery',
    path: ({ webhook }) => `/developers/webhooks/${webhook}`,
    act: button(/attempt/),
  },

  { name: 'dialog-add-channel', path: '/channels?add=networks' },
  { name: 'dialog-connect', path: '/channels?add=bluesky' },
  { name: 'dialog-disconnect', path: '/channels', act: button('Disconnect') },
  { name: 'dialog-create-key', path: '/developers/keys', act: button('Create key') },
  { name: 'dialog-create-webhook', path: '/developers/webhooks', act: button('Create webhook') },
  { name: 'dialog-edit-brand', path: '/workspace', act: button('Edit') },
  { name: 'choose-brand', path: '/media?brand=all' },
  { name: 'calendar-all-brands', path: '/calendar?brand=all&view=week' },
  { name: 'channels-all-brands', path: '/channels?brand=all' },
  { name: 'panel-attention', path: '/calendar', act: button(/^Needs attention/) },
  { name: 'dialog-add-brand', path: '/workspace', act: button('Add brand') },
  { name: 'dialog-connection-link', path: '/workspace', act: button('Connection link') },
  { name: 'dialog-two-factor', path: '/settings/security', act: button('Turn on') },
  {
    name: 'dialog-two-factor-qr',
    path: '/settings/security',
    async act(page) {
      await page.getByRole('button', { name: 'Turn on' }).click();
      await page.getByRole('dialog').getByLabel('Password').fill(testPassword);
      await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    },
  },
  { name: 'dialog-export', path: '/settings/profile', act: button('Export my data') },
  { name: 'dialog-delete-account', path: '/settings/profile', act: button('Delete account') },
  { name: 'account-leaving', path: '/calendar', act: isLeaving },
  { name: 'dialog-delete-post', path: ({ scheduled }) => `/posts/${scheduled}`, act: button('Delete') },
  {
    name: 'dialog-reschedule',
    path: '/posts?status=scheduled',
    async act(page) {
      for (const box of (await page.getByRole('row').getByRole('checkbox').all()).slice(1, 4)) await box.check();
      await page.getByRole('button', { name: 'Reschedule' }).click();
    },
  },
  {
    name: 'post-panel',
    path: '/calendar?view=list',
    async act(page) {
      await page
        .getByRole('link', { name: /Scheduled$/ })
        .first()
        .click();
      await page.getByRole('link', { name: 'Open full page' }).waitFor();
    },
  },
  {
    name: 'calendar-drafts-tray',
    path: '/calendar?view=month',
    async act(page) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.getByRole('button', { name: 'Drafts' }).click();
      await page.getByRole('region', { name: 'Drafts' }).getByRole('listitem').first().waitFor();
    },
  },
  {
    name: 'calendar-preview',
    path: '/calendar?view=month',
    async act(page) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.locator('[data-post]').first().hover();
      await page
        .getByRole('region', { name: /^Preview of/ })
        .getByRole('button', { name: 'Duplicate' })
        .waitFor();
    },
  },
  { name: 'calendar-view-options', path: '/calendar?view=month', act: button('View options') },
  {
    name: 'calendar-channels',
    path: '/calendar?view=month',
    act: (page) => page.getByRole('combobox', { name: 'Channel' }).click(),
  },
  {
    name: 'calendar-by-network',
    path: '/calendar?view=month',
    async act(page) {
      await page.evaluate(`localStorage.setItem('crier-calendar-colours', 'network')`);
      await page.reload();
      await page.locator('[data-coloured]').first().waitFor();
    },
  },
  {
    name: 'calendar-print',
    path: '/calendar?view=month',
    act: (page) => page.emulateMedia({ media: 'print' }),
  },
  { name: 'dialog-shortcuts', path: '/calendar', act: press('?') },
  { name: 'account-menu', path: '/calendar', act: button('Account') },
  {
    name: 'search',
    path: '/calendar',
    async act(page) {
      await page.keyboard.press('Control+k');
      await page.getByLabel('Search everything').fill('harbour');
      await page.getByRole('dialog').getByText('A picture of the harbour follows').waitFor();
    },
  },
  {
    name: 'phone-menu',
    path: '/calendar',
    async act(page) {
      await page.setViewportSize({ width: 360, height: 780 });
      await page.getByRole('button', { name: 'Menu' }).click();
    },
  },

  {
    name: 'offline',
    path: '/compose',
    async act(page) {
      await page.getByLabel('Post text').fill('Written on a train');
      await page.context().setOffline(true);
      await page.getByText('You’re offline').waitFor();
    },
  },
  {
    name: 'session-over',
    path: '/calendar',
    async act(page) {
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    },
  },
  { name: 'limit-usage', path: '/settings/usage', who: 'limited' },
  {
    name: 'limit-add-channel',
    path: '/channels?add=bluesky',
    who: 'limited',
  },
  {
    name: 'limit-publish',
    path: '/compose',
    who: 'limited',
    async act(page) {
      await page.getByRole('group', { name: 'Post to' }).getByRole('button').first().click();
      await page.getByLabel('Post text').fill('One more than the plan allows');
      await page.getByText(/^Saved /).waitFor();
      await page.getByRole('button', { name: 'Publish now' }).click();
      await page.getByRole('alert').first().waitFor();
    },
  },
  { name: 'limit-workspace', path: '/workspace', who: 'limited' },
  { name: 'pictures-missing-media', path: '/media', broken: 'pictures' },
  { name: 'pictures-missing-channels', path: '/channels', broken: 'pictures' },
  { name: 'pictures-missing-composer', path: ({ draft }) => `/compose/${draft}`, broken: 'pictures' },
  { name: 'many-channels', path: '/channels', who: 'crowded', isEndless: true },
  { name: 'many-channels-composer', path: '/compose', who: 'crowded', isEndless: true },
  {
    name: 'many-channels-composer-open',
    path: '/compose',
    who: 'crowded',
    isEndless: true,
    act: button(/^All \d+ channels$/),
  },
  { name: 'many-posts', path: '/posts', who: 'crowded', isEndless: true },
  { name: 'many-posts-month', path: '/calendar?view=month', who: 'crowded' },
  { name: 'many-posts-week', path: '/calendar?view=week', who: 'crowded' },
];
