import type { Who } from '../../../features/auth/access/api-key.ts';
import type { StoredConnection } from '../../../features/connections/connections.ts';
import type { PublishingApp } from '../../../features/publishing/attempt/batched-writes.ts';
import type { ClaimedLane } from '../../../features/publishing/lanes/claimed-lane.ts';
import type { Platform } from '../../../platforms/kit/index.ts';
import type { Recorder } from './recorder.ts';

/** Something that a proof has put on the network. */
export interface Made {
  /** For people, unique in its proof. */
  readonly name: string;
  /** Null: the network has it, but Crier does not know its id. */
  readonly id: string | null;
  readonly url: string | null;
}

/** The context of a proof's checks. */
export interface Proof {
  readonly app: PublishingApp;
  readonly who: Who;
  readonly platform: Platform;
  readonly connection: StoredConnection;
  readonly lane: ClaimedLane;
  readonly recorder: Recorder;
  /** Part of every post's text, to distinguish the posts from others. */
  readonly label: string;
  /** The id of a published post, by the name of its check. */
  readonly published: Map<string, string>;
  /** In order of publication. */
  readonly made: Made[];
  readonly signal: AbortSignal;
  pause(ms: number): Promise<void>;
}

/** The network, or this account on it, does not support this. */
export class NotOffered extends Error {
  override name = 'NotOffered';
}
