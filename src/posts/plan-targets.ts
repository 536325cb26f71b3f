import { splitThread, type ThreadSplit } from '../lib/split-thread.ts';
import type { Target } from './targets.ts';
import type { ThreadPart } from './thread-part.ts';

/** What goes to one connection: the text, and how it is cut if it is more than one post there. */
export interface PlannedTarget {
  readonly target: Target;
  readonly content: string;
  readonly split: ThreadSplit;
}

export function planTarget(target: Target, content: string): PlannedTarget {
  const { text, threads } = target.limits;
  if (!threads) return { target, content, split: { kind: 'post', text: content } };
  const split = splitThread(content, { limit: text.max, unit: text.unit, cuts: threads.cuts });
  return { target, content: split.kind === 'post' ? split.text : content, split };
}

/** As they are stored before anything is published; empty for a single post. */
export const threadParts = ({ split }: PlannedTarget): ThreadPart[] =>
  (split.kind === 'thread' ? split.parts : []).map((content, index) => ({
    index,
    content,
    status: 'pending',
    publishedId: null,
  }));
