import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { PlanKey } from '../../../src/config/plans.ts';
import { connectSandboxAccount } from '../../../src/features/connections/connect/sandbox.ts';
import type { PlatformId } from '../../../src/platforms/index.ts';
import { builtDashboard } from '../../../src/startup/dashboard-build.ts';
import { startWorker } from '../../../src/surfaces/worker.ts';
import { temporaryFolder } from '../../../test/support/database/temporary-server.ts';
import { serve } from '../../../test/support/servers/local.ts';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import { testPassword } from '../../../test/support/service/user.ts';

export interface Stage {
  readonly service: TestService;
  readonly url: string;
  /** A receiver for webhooks. */
  readonly receiver: Receiver;
  /** A user with a password and these sandbox networks connected. */
  aUser(options?: UserOptions): Promise<StageUser>;
  /** A page in a new browser context with this size and theme. Fails the test if the page logs an error. */
  aPage(options?: PageOptions): Promise<Page>;
  /** A page signed in as this user. */
  pageOf(user: StageUser, options?: PageOptions): Promise<Page>;
  /** A page signed in as a new user. */
  signedIn(options?: PageOptions & UserOptions): Promise<{ page: Page; user: StageUser }>;
  close(): Promise<void>;
}

export interface Receiver {
  readonly url: string;
  /** Received bodies in order. */
  readonly received: readonly string[];
  /** The response status. */
  status: number;
}

export interface UserOptions {
  networks?: readonly PlatformId[];
  plan?: PlanKey;
}

export interface StageUser extends TestUser {
  readonly email: string;
  readonly password: string;
  /** Connection IDs in the order of `networks`. */
  readonly channels: readonly string[];
}

export interface PageOptions {
  width?: number;
  height?: number;
  colorScheme?: 'light' | 'dark';
  /** Pixels of the screen for each pixel of the page. Default: 1. */
  scale?: number;
  locale?: string;
  timezoneId?: string;
  /** Console errors that the test provokes. */
  expectedErrors?: RegExp;
  /** The page outlives the test, and its errors are ignored. */
  isKept?: boolean;
}

let handles = 0;

/** A service with worker and sandbox, and browser pages for it. */
export async function openStage(browser: Browser, environment: Record<string, string> = {}): Promise<Stage> {
  await using starting = new AsyncDisposableStack();
  const receiver = starting.use(await openReceiver());
  const folder = starting.adopt(await temporaryFolder(), ({ remove }) => remove());
  const port = await freePort();
  // Passkeys need a domain name.
  const url = `http://localhost:${port}`;
  const service = await testService({
    environment: { DATA_DIR: folder.path, EGRESS_ALLOW: new URL(receiver.url).host, ...environment },
    publicUrl: url,
    dashboardFolder: await builtDashboard(),
  });
  starting.defer(() => service.close());
  await service.server.listen({ port, host: 'localhost' });
  const worker = await startWorker(service.app);
  starting.defer(() => worker.stop(1000));
  const running = starting.move();

  async function aUser({ networks = [], plan = 'pro' }: UserOptions = {}): Promise<StageUser> {
    const user = await service.aUser({ plan });
    const channels: string[] = [];
    for (const platform of networks) {
      handles += 1;
      const handle = `${platform}${handles}`;
      channels.push(
        (await connectSandboxAccount(service.app, service.sandbox.url, user.id, { platform, handle })).platformId,
      );
    }
    const { email } = await service.app.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    return { ...user, email, password: testPassword, channels };
  }

  async function pageOf({ email, password }: StageUser, options: PageOptions = {}): Promise<Page> {
    const page = await openPage(browser, url, options);
    const signedIn = await page.request.post('/api/v1/auth/signin', { data: { email, password } });
    expect(signedIn.status()).toBe(200);
    return page;
  }

  return {
    service,
    url,
    receiver,
    aUser,
    aPage: (options = {}) => openPage(browser, url, options),
    pageOf,
    async signedIn({ networks, plan, ...options } = {}) {
      const user = await aUser({ ...(networks && { networks }), ...(plan && { plan }) });
      return { page: await pageOf(user, options), user };
    },
    close: () => running.disposeAsync(),
  };
}

async function openReceiver(): Promise<Receiver & AsyncDisposable> {
  const received: string[] = [];
  const server = await serve(async (request, response) => {
    received.push(Buffer.concat(await request.toArray()).toString());
    response.writeHead(receiver.status).end(`answer ${receiver.status}`);
  });
  const receiver = { url: server.url, received, status: 500, [Symbol.asyncDispose]: server.close };
  return receiver;
}

/** Links contain the service's address, so it must be known before the start. */
async function freePort(): Promise<number> {
  const free = await serve(() => {});
  await free.close();
  return Number(new URL(free.url).port);
}

async function openPage(browser: Browser, baseURL: string, options: PageOptions): Promise<Page> {
  const { width = 1440, height = 900, colorScheme = 'light', scale = 1 } = options;
  const { locale = 'en-GB', timezoneId = 'Europe/Berlin' } = options;
  const context: BrowserContext = await browser.newContext({
    baseURL,
    viewport: { width, height },
    deviceScaleFactor: scale,
    colorScheme,
    locale,
    timezoneId,
    reducedMotion: 'reduce',
  });
  // Generous, so that no test fails on a busy machine.
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  if (options.isKept) return page;
  const errors: string[] = [];
  const note = (text: string) => {
    if (!options.expectedErrors?.test(text)) errors.push(text);
  };
  page.on('pageerror', (error) => note(String(error)));
  page.on('console', (message) => {
    // Pages request the session and show API errors themselves.
    if (message.type() === 'error' && !message.text().includes('Failed to load resource')) note(message.text());
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    const isOwn = origin === new URL(baseURL).origin;
    // Consent pages of networks aren't dashboard pages.
    const isOurPage = request.frame().url().startsWith(baseURL);
    if (protocol.startsWith('http') && !isOwn && isOurPage && !request.isNavigationRequest())
      note(`A request to ${request.url()}`);
  });
  onTestFinished(async () => {
    await context.close();
    expect(errors, 'errors in the console of the page').toEqual([]);
  });
  return page;
}

/** Resolves when no part of the page is loading and fonts are ready. */
export async function isLoaded(page: Page): Promise<void> {
  await page.locator('[aria-busy="true"], .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

/** Changes the page's size and theme, and waits for them to take effect. */
export async function setLook(page: Page, look: { width: number; height?: number; colorScheme: 'light' | 'dark' }) {
  const { width, height = width === 360 ? 780 : 900, colorScheme } = look;
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  // Pages outside the dashboard don't have this attribute.
  const isMarked = await page.locator('html[data-mantine-color-scheme]').count();
  if (isMarked) await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  await isStill(page);
}

/** A theme takes effect after some frames, with transitions between colours. */
export const isStill = (page: Page) =>
  page.evaluate(`(async () => {
    for (let frame = 0; frame < 5; frame += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const ends = document.getAnimations().map(({ finished }) => finished);
      await Promise.race([Promise.allSettled(ends), new Promise((resolve) => setTimeout(resolve, 1000))]);
    }
  })()`);
