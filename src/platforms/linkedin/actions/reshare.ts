import type { Context } from '../../kit/index.ts';
import { authorOf, type Credentials, fieldsOf, send } from '../api.ts';
import { newPost } from '../new-post.ts';
import { littleText } from '../text.ts';
import { asAction } from './targets.ts';

type Ctx = Context<Credentials>;
export interface Reshare {
  parent: string;
  commentary: string;
  visibility: 'PUBLIC' | 'CONNECTIONS';
}

/** LinkedIn's response about the new post: usually only its URN, in a header. Null if it does not return one. */
export async function reshare({ parent, commentary, visibility }: Reshare, ctx: Ctx) {
  const post = newPost(authorOf(ctx), littleText(commentary), { visibility, reshareContext: { parent } });
  const { accessToken } = ctx.credentials;
  const response = await asAction(send({ path: '/rest/posts', accessToken, body: { ...post } }, ctx));
  const fields = await fieldsOf(response);
  const id = response.headers.get('x-restli-id') || null;
  return { ...fields, lifecycleState: fields.lifecycleState ?? post.lifecycleState, id };
}

/** Such a connection has lost the id of its page, and would post as the member. */
export const isPageWithoutId = ({ account, credentials }: Ctx) =>
  account.traits.isCompanyPage === true && credentials.organizationId === null;
