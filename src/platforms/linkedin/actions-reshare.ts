import type { Json } from '../../lib/json.ts';
import type { Context } from '../kit/index.ts';
import { asAction } from './actions-target.ts';
import { authorOf, type Credentials, send } from './api.ts';
import { newDraft } from './draft.ts';
import { littleText } from './text.ts';

type Ctx = Context<Credentials>;
export interface Reshare {
  parent: string;
  commentary: string;
  visibility: 'PUBLIC' | 'CONNECTIONS';
}

/** What LinkedIn says of the new post: usually nothing but its URN, in a header. */
export async function reshare({ parent, commentary, visibility }: Reshare, ctx: Ctx) {
  const draft = newDraft(authorOf(ctx), littleText(commentary), { visibility, reshareContext: { parent } });
  const { accessToken } = ctx.credentials;
  const request = { method: 'POST', path: '/rest/posts', accessToken, body: { ...draft } } as const;
  const response = await asAction(send(request, ctx));
  const body = parseBody(await response.text());
  const id = response.headers.get('x-restli-id') ?? '';
  return { ...body, lifecycleState: body.lifecycleState ?? draft.lifecycleState, id };
}

/** A connection of a page that has forgotten which one: it would post as the member. */
export const isPageWithoutId = ({ account, credentials }: Ctx) =>
  account.traits.isCompanyPage === true && credentials.organizationId === null;

function parseBody(text: string): { [field: string]: Json } {
  try {
    const body = JSON.parse(text);
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
  } catch {
    // It said "created": what else it says is not worth a failure.
    return {};
  }
}
