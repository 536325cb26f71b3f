import { isEnded, type Options, type State } from './state.ts';

/** Describes the violation in a state. Null if there is none. */
export function violation(state: State, options: Options): string | null {
  return falseSuccess(state, options) ?? tooManyEffects(state, options);
}

/** Every post has a reported outcome, and nothing can change it any more. */
export const isEnd = ({ posts, requests }: State) => posts.every(isEnded) && requests.length === 0;

/** At an end where no run holds a post, nothing that happens matters. */
export const isSettled = (state: State) =>
  isEnd(state) &&
  state.workers.every(({ runs }) => runs.every((run) => run === null || !('post' in run))) &&
  !state.posts.some(({ status, retryable }) => status === 'failed' && retryable && state.userRetries > 0);

/** Published means that the network has the post, as this post and no other. */
function falseSuccess({ posts, effects }: State, { equal, partOfMore }: Options): string | null {
  if (partOfMore) return null;
  const published = posts.flatMap(({ status, postedId }, post) => (status === 'published' ? [{ post, postedId }] : []));
  for (const { post, postedId } of published) {
    const of = postedId === null ? undefined : effects[postedId];
    if (of === undefined || (!equal && of !== post)) return `a lie: post ${post + 1} is published, and it is not there`;
  }
  if (new Set(published.map(({ postedId }) => postedId)).size < published.length)
    return 'a lie: two posts are said to be published as the same one';
  return null;
}

/** At most one effect for each post, and none for a failed post. Equal posts are counted together. */
function tooManyEffects({ posts, effects }: State, { equal }: Options): string | null {
  const groups = equal ? [[...posts.keys()]] : [...posts.keys()].map((post) => [post]);
  for (const group of groups) {
    const there = effects.filter((post) => group.includes(post)).length;
    const failed = group.filter((post) => posts[post]?.status === 'failed').length;
    const names = group.map((post) => `post ${post + 1}`).join(' and ');
    if (there > group.length) return `two effects: the network has ${names} ${there} times`;
    if (there > group.length - failed) return `a lie: ${names} failed, and the network has it`;
  }
  return null;
}
