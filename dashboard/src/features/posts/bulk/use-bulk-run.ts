import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { keys } from '../../../lib/query-keys.ts';
import { runEach } from '../../../lib/run-each.ts';
import type { PostRow } from '../list/rows.ts';
import type { Change, Outcome } from './changes.ts';

export interface BulkRun {
  state: 'ready' | 'running' | 'over';
  /** By the id of the post, of those that were tried. */
  outcomes: ReadonlyMap<string, Outcome>;
  /** Changes the posts that aren't done yet. Those that failed are tried again. */
  start: (change: Change) => void;
  /** Leaves the rest as it is. */
  stop: () => void;
  /** Identifies this change of these posts. */
  id: string;
}

/** Changes posts two at a time. A repeated change of a post has the same key, so it takes effect once. */
export function useBulkRun(posts: readonly PostRow[]): BulkRun {
  const client = useQueryClient();
  const [id] = useState(() => crypto.randomUUID());
  const [state, setState] = useState<BulkRun['state']>('ready');
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const stopping = useRef(new AbortController());
  const run = async (change: Change) => {
    stopping.current = new AbortController();
    setState('running');
    const open = posts.filter(({ postGroupId }) => isOpen(outcomes.get(postGroupId)));
    await runEach(
      open,
      async (post) => {
        const outcome = await change(post, `${id} ${post.postGroupId}`).catch(
          (error: unknown): Outcome => ({ kind: 'failed', error }),
        );
        setOutcomes((before) => new Map(before).set(post.postGroupId, outcome));
      },
      { signal: stopping.current.signal },
    );
    setState('over');
    for (const queryKey of [keys.posts, keys.labels, keys.account]) void client.invalidateQueries({ queryKey });
  };
  return {
    state,
    outcomes,
    start: (change) => {
      if (state !== 'running') void run(change);
    },
    stop: () => stopping.current.abort(),
    id,
  };
}

const isOpen = (outcome: Outcome | undefined) => outcome === undefined || outcome.kind === 'failed';
