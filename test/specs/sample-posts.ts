import { createHash } from 'node:crypto';
import { anImage, aVideo, type TestFile } from '../support/files/media.ts';
import type { Recording, SamplePost } from './recording.ts';

export const textPost: SamplePost = { text: 'Hello' };

/** Every kind of post that the network accepts, simplest first. */
export async function samplePosts(recording: Recording): Promise<SamplePost[]> {
  const { images, video, documents, mediaRequired, videoRequired } = recording.platform.limits;
  const described = (file: TestFile, altText = 'Two cats on a sofa') => ({ ...file, altText });
  const kinds: SamplePost[] = [];
  if (!mediaRequired && !videoRequired) {
    kinds.push(textPost, { text: 'Links https://example.com/a?b=c, #hashtags and @member1 are marked 👋' });
  }
  if (images && !videoRequired) {
    kinds.push({ text: 'One image', files: [described(await anImage())] });
    if ((images.rendition ?? images).types.includes('image/png')) {
      kinds.push({ text: 'Another type', files: [await anImage({ type: 'png' })] });
    }
    const files = await Promise.all(Array.from({ length: Math.min(3, images.max) }, () => anImage()));
    if (files.length > 1) kinds.push({ text: 'Several images', files: files.map((file) => described(file)) });
  }
  if (video) kinds.push({ text: 'A video', files: [described(aVideo())] });
  if (documents) kinds.push({ text: 'A document', files: [aDocument()] });
  return [...kinds, ...(await (special[recording.platform.id] ?? none)(recording))];
}

const none = async () => [];

/** Features of a single network, and non-default settings. */
const special: Readonly<Record<string, (recording: Recording) => Promise<SamplePost[]>>> = {
  instagram: async ({ stage }) => [
    { text: 'A story', settings: { videoType: 'STORIES' }, files: [aVideo()] },
    {
      text: 'A reel',
      settings: { coverUrl: String(await stage.media(await anImage()).url()), shareToFeed: false },
      files: [aVideo()],
    },
    { text: 'A mixed carousel', files: [await anImage(), aVideo()] },
  ],
  threads: async () => [
    { text: 'Only for some', settings: { replyControl: 'mentioned_only' } },
    { text: 'A mixed carousel', files: [await anImage(), aVideo()] },
  ],
  telegram: async () => [
    {
      text: 'Quiet',
      settings: { disableNotification: true, disableWebPagePreview: true, protectContent: true },
    },
    { text: 'An animation', files: [await anImage({ type: 'gif' })] },
    { text: 'a'.repeat(1500), files: [await anImage()] },
    { text: 'A mixed album', files: [await anImage(), aVideo()] },
  ],
  twitter: async () => [{ text: 'An animation', files: [await anImage({ type: 'gif' })] }],
  tiktok: async () => [
    {
      text: 'An advertisement',
      settings: { viewerSetting: 'SELF_ONLY', commercialContent: true, brandOrganic: true, allowComments: false },
      files: [aVideo()],
    },
  ],
  linkedin: async () => [
    { text: 'By a page', handle: 'company-acme' },
    { text: 'A video of a page', handle: 'company-film', files: [aVideo()] },
  ],
  youtube: async (recording) => [
    {
      text: 'With everything',
      settings: {
        title: 'The sea',
        privacy: 'unlisted',
        tags: ['sea', 'early dawn'],
        categoryId: '19',
        madeForKids: true,
        playlist: await aPlaylist(recording),
      },
      files: [aVideo()],
      thumbnail: await anImage({ width: 1280, height: 720 }),
    },
  ],
};

function aDocument(): TestFile {
  const bytes = Buffer.from('%PDF-1.4\n1 0 obj << /Type /Catalog >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const facts = { kind: 'document', type: 'application/pdf', width: 0, height: 0, seconds: null } as const;
  return { ...facts, altText: '', bytes, sha256 };
}

/** Crier creates no playlists, so the channel does it itself. */
async function aPlaylist({ stage, member }: Recording) {
  const url = new URL('https://www.googleapis.com/youtube/v3/playlists?part=snippet');
  const response = await fetch(stage.sandbox().route(url), {
    method: 'POST',
    headers: { authorization: `Bearer ${member.credentials.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ snippet: { title: 'Seas' } }),
  });
  const { id }: { id: string } = JSON.parse(await response.text());
  return { id, platformId: `youtube-${member.account.id}` };
}
