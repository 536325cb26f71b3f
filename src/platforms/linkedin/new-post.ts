import type { RemotePost } from '../kit/index.ts';

/** The request body, with LinkedIn's field names. */
export interface NewPost {
  author: string;
  commentary: string;
  visibility: 'PUBLIC' | 'CONNECTIONS';
  distribution: { feedDistribution: 'MAIN_FEED'; targetEntities: []; thirdPartyDistributionChannels: [] };
  lifecycleState: 'PUBLISHED';
  isReshareDisabledByAuthor: boolean;
  content?: Content;
  reshareContext?: { parent: string };
}
type Content = { media: Item & { title?: string } } | { multiImage: { images: Item[] } };
export interface Item {
  id: string;
  altText?: string;
}

/** A public text-only post, changed by `parts`. */
export const newPost = (author: string, commentary: string, parts: Partial<NewPost>): NewPost => ({
  author,
  commentary,
  visibility: 'PUBLIC',
  distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
  lifecycleState: 'PUBLISHED',
  isReshareDisabledByAuthor: false,
  ...parts,
});

export const remotePost = (urn: string): RemotePost => ({ id: urn, url: postUrl(urn) });
export const postUrl = (urn: string) => `https://www.linkedin.com/feed/update/${urn}/`;
