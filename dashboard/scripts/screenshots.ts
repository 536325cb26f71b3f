import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { chromiumPath } from '../test/support/chromium.ts';
import { crowdedUser } from '../test/support/crowded-user.ts';
import { test } from '../test/support/journey.ts';
import { type SampleWorkspace, sampleWorkspace } from '../test/support/sample-workspace.ts';
import { isLoaded, type Stage, type StageUser, setLook } from '../test/support/stage.ts';
import { type Scene, scenes } from './scenes.ts';

/**
 * `npm run screenshots` captures every scene in both themes and three widths. `npm run screenshots -- -t calendar` captures the
 * scenes with that word in their names.
 */
const folder = fileURLToPath(new URL('../screenshots/', import.meta.url));
const widths = [360, 768, 1440];
const themes = ['light', 'dark'] as const;

if (!chromiumPath) throw new Error('Screenshots need a browser. Install Chromium, or set CHROMIUM to its path.');

let stage: Stage;
let sample: SampleWorkspace;
const others = new Map<string, Promise<StageUser>>();
const contexts = new Map<string, Promise<BrowserContext>>();

test.beforeAll(async ({ stage: opened }) => {
  await mkdir(folder, { recursive: true });
  stage = opened;
  sample = await sampleWorkspace(stage, `${stage.receiver.url}/hook`);
  await warnAboutMissingFonts(await stage.aPage({ isKept: true }));
}, 120_000);

afterAll(() => console.log(`Screenshots are in ${folder}`));

test.each(scenes)('$name', { timeout: 120_000 }, async (scene) => {
  const page = await openScene(scene);
  for (const width of widths) {
    const isOneScreen = scene.isEndless || (await page.getByRole('dialog').count()) > 0;
    const height = await heightOf(page, width, isOneScreen ? 1 : 4);
    for (const colorScheme of themes) {
      await setLook(page, { width, height, colorScheme });
      const path = `${folder}${scene.name}.${width}.${colorScheme}.png`;
      await page.screenshot({ path, clip: { x: 0, y: 0, width, height }, animations: 'disabled' });
    }
  }
  await (scene.act ? page.context() : page).close();
});

/** The page's height, up to `maxScreens`. The window gets this height, so that sticky bars are at the edges. */
async function heightOf(page: Page, width: number, maxScreens: number): Promise<number> {
  await setLook(page, { width, colorScheme: 'light' });
  const screen = page.viewportSize()!.height;
  const content: number = await page.evaluate('document.documentElement.scrollHeight');
  return Math.min(Math.max(screen, content), maxScreens * screen);
}

async function openScene({ who = 'busy', path, broken, act }: Scene): Promise<Page> {
  const page = act ? await signedIn(who) : await (await shared(who)).newPage();
  if (broken) await breakAnswers(page, broken);
  await page.goto(typeof path === 'string' ? path : path(sample));
  await page.getByRole('heading').first().waitFor();
  if (broken !== 'loading') await isLoaded(page);
  await act?.(page);
  await page.waitForTimeout(150);
  return page;
}

async function signedIn(who: NonNullable<Scene['who']>): Promise<Page> {
  const options = { isKept: true };
  return who === 'signed-out' ? stage.aPage(options) : stage.pageOf(await userWho(who), options);
}

/** Scenes without actions share their user's cookies and cache. */
function shared(who: NonNullable<Scene['who']>): Promise<BrowserContext> {
  const known = contexts.get(who) ?? signedIn(who).then((page) => page.context());
  contexts.set(who, known);
  return known;
}

async function userWho(who: Exclude<Scene['who'], 'signed-out' | undefined>): Promise<StageUser> {
  if (who === 'busy') return sample.user;
  const known = others.get(who) ?? makers[who]();
  others.set(who, known);
  return known;
}

const makers = {
  new: () => stage.aUser(),
  crowded: () => crowdedUser(stage, { channels: 200, posts: 5_000 }),
  async limited() {
    const user = await stage.aUser({ networks: ['mastodon', 'bluesky', 'telegram'], plan: 'starter' });
    for (let post = 1; post <= 15; post += 1)
      await user.call('POST', '/create-post', {
        content: `Post ${post}`,
        platforms: [user.channels[0]],
        publishNow: true,
      });
    return user;
  },
};

const isData = (url: URL) =>
  url.pathname.startsWith('/api/v1/') && !/\/(auth\/session|profile|events|dashboard\/settings)$/.test(url.pathname);
const isPicture = (url: URL) => /^\/media\/|\/avatar$/.test(url.pathname);

async function breakAnswers(page: Page, broken: NonNullable<Scene['broken']>) {
  if (broken === 'pictures') return page.route(isPicture, (route) => route.fulfill({ status: 404 }));
  const body = {
    success: false,
    error: 'Internal server error',
    code: 'INTERNAL_ERROR',
    hint: 'The error is on Crier’s side. Try again in a minute.',
    requestId: '66f0c1d2e3f4a5b6c7d8e9f0',
  };
  // A pending request stays open until the page is closed.
  return page.route(isData, (route) => (broken === 'error' ? route.fulfill({ status: 500, json: body }) : undefined));
}

/** Without a font, all characters of a script look the same. */
async function warnAboutMissingFonts(page: Page) {
  const samples = { Chinese: '港街', Japanese: 'かに', Korean: '항구', Arabic: 'بش', emoji: '🌊🎉' };
  const missing: string[] = await page.evaluate(`(() => {
    const draw = (letter) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 40 });
      const context = canvas.getContext('2d');
      context.font = '28px sans-serif';
      context.fillText(letter, 4, 30);
      return canvas.toDataURL();
    };
    const names = Object.entries(${JSON.stringify(samples)}).filter(([, letters]) => {
      const [one, other] = letters;
      return draw(one) === draw(other);
    });
    return names.map(([name]) => name);
  })()`);
  await page.context().close();
  if (missing.length === 0) return;
  console.warn(
    `No font for ${missing.join(', ')}: characters appear as boxes. On Debian and Ubuntu, install ` +
      'fonts-noto-cjk, fonts-noto-core and fonts-noto-color-emoji.',
  );
}
