import { type output, z } from 'zod';
import { hasCode, reclassify } from '../graph/failure.ts';
import { type Account, maxTokenLength, type PlatformClient, PlatformError } from '../kit/index.ts';
import { call, callForList, Id } from './api.ts';
import { codes } from './failure.ts';

const Page = z.object({
  id: Id,
  name: z.string().min(1),
  username: z.string().optional(),
  picture: z.object({ data: z.object({ url: z.string().optional() }) }).optional(),
});
const pageFields = 'id,name,username,picture.type(large)';

interface OwnPage {
  account: Account;
  accessToken: string;
}

/** The Pages where the person may create content. */
export async function readOwnPages(userToken: string, ctx: PlatformClient): Promise<OwnPage[]> {
  const own = await pagesAt('/me/accounts', `${pageFields},access_token,tasks`, userToken, ctx);
  const listed = new Set(own.map(({ id }) => id));
  const others = (await pagesOfBusinesses(userToken, ctx)).filter(({ id }) => !listed.has(id));
  const pages = new Map<string, OwnPage>();
  for (const { access_token, ...page } of [...own.filter(mayCreate), ...others]) {
    if (access_token) pages.set(page.id, { account: accountOf(page), accessToken: access_token });
  }
  return [...pages.values()];
}

export async function readPage(pageId: string, accessToken: string, ctx: PlatformClient): Promise<Account> {
  const request = { path: `/${pageId}`, query: { fields: pageFields }, accessToken };
  return accountOf(await call(Page, request, ctx).catch(explainMissing));
}

function explainMissing(error: unknown): never {
  if (!hasCode(error, ...codes.noSuchObject) || error.kind !== 'rejected') throw error;
  const message = 'Facebook no longer shows this Page. Check that the Page still exists, then reconnect it.';
  throw reclassify(error, 'auth', message);
}

const ListedPage = Page.extend({
  access_token: z.string().max(maxTokenLength).optional(),
  tasks: z.array(z.string()).default([]),
});

const pagesAt = (path: string, fields: string, userToken: string, ctx: PlatformClient) =>
  callForList(ListedPage, path, fields, userToken, ctx);

const businessLists = ['owned_pages', 'client_pages'] as const;

/**
 * Pages that a person manages only through a business. A Page comes with a token if the person has a role on it. People
 * who may not read a business's lists have no such Pages.
 */
async function pagesOfBusinesses(userToken: string, ctx: PlatformClient): Promise<output<typeof ListedPage>[]> {
  const businesses = await orNone(callForList(z.object({ id: Id }), '/me/businesses', 'id', userToken, ctx));
  const pages: output<typeof ListedPage>[] = [];
  for (const { id } of businesses) {
    for (const list of businessLists) {
      pages.push(...(await orNone(pagesAt(`/${id}/${list}`, `${pageFields},access_token`, userToken, ctx))));
    }
  }
  return pages;
}

async function orNone<T>(reading: Promise<T[]>): Promise<T[]> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PlatformError && (error.kind === 'auth' || error.kind === 'rejected')) return [];
    throw error;
  }
}

const mayCreate = ({ tasks }: output<typeof ListedPage>) =>
  tasks.includes('CREATE_CONTENT') || tasks.includes('MANAGE');

function accountOf({ id, name, username, picture }: output<typeof Page>): Account {
  return {
    id,
    handle: username ?? name,
    displayName: name,
    avatarUrl: picture?.data.url ?? null,
    profileUrl: `https://www.facebook.com/${username ?? id}`,
    traits: {},
  };
}
