import { splitThread, type ThreadSplit } from '../lib/split-thread.ts';
import type { Target } from './find-targets.ts';
import type { ThreadPart } from './thread-part.ts';

/** The text for one target, and how it is split if it becomes a thread there. */
export interface TargetContent {
  readonly target: Target;
  readonly content: string;
  readonly split: ThreadSplit;
}

export function contentForTarget(target: Target, content: string): TargetContent {
  const { text, threads } = target.limits;
  if (!threads) return { target, content, split: { kind: 'post', text: content } };
  const split = splitThread(content, { limit: text.max, unit: text.unit, cuts: threads.cuts });
  return { target, content: split.kind === 'post' ? split.text : content, split };
}

/** The parts as they are stored before anything is published. A single post has none. */
export const threadParts = ({ split }: TargetContent): ThreadPart[] =>
  (split.kind === 'thread' ? split.parts : []).map((content, index) => ({
    index,
    content,
    status: 'pending',
    publishedId: null,
  }));
