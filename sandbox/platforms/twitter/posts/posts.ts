import { type Call, Refusal } from '../../../platform.ts';
import type { Post } from '../../../store/posts.ts';
import { missing, problem } from '../errors.ts';

export function requirePost(call: Call, id: string): Post {
  const post = call.sandbox.store.posts.find('twitter', id);
  if (post) return post;
  const { title, detail, type } = missing('tweet', 'id', id);
  throw new Refusal(problem(404, title, detail, { type }));
}
