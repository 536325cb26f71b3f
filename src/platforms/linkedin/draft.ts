import type { RemotePost } from '../kit/index.ts';

/** What is sent, under the network's own names. */
export interface Draft {
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

/** With nothing but words, for everybody. */
export const newDraft = (author: string, commentary: string, parts: Partial<Draft>): Draft => ({
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
