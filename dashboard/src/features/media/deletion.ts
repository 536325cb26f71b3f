import type { ListedMedia } from '@crier/client';
import { count } from '../../lib/posts/post-summary.ts';

/** What deleting a file does to the posts that use it. Nothing changes what is scheduled or was published. */
export function consequenceOf({ inLibrary, posts, postCount }: Facts): { isPossible: boolean; explanation: string } {
  if (postCount === 0) return { isPossible: true, explanation: 'No post uses this file. You can’t undo this.' };
  if (inLibrary) {
    const users = postCount === 1 ? 'One post uses' : `${count(postCount, 'post')} use`;
    return {
      isPossible: true,
      explanation: `${users} this file and keep${postCount === 1 ? 's' : ''} it, whether published or not. The file is removed from your library, but takes up storage until those posts are deleted.`,
    };
  }
  const status = posts[0]?.status;
  if (status === 'draft') {
    return {
      isPossible: true,
      explanation: 'This file belongs to a draft, and will be removed from it. You can’t undo this.',
    };
  }
  if (status === 'scheduled') {
    const explanation = 'This file belongs to a scheduled post. Remove it from the post first.';
    return { isPossible: false, explanation };
  }
  return {
    isPossible: false,
    explanation: 'This file belongs to a post that was sent, and is deleted together with that post.',
  };
}

type Facts = Pick<ListedMedia, 'inLibrary' | 'posts' | 'postCount'>;
