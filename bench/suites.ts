import { openApiStage } from './api-stage.ts';
import { attack, slowReceivers } from './attack.ts';
import { accountsOf, burst, million } from './burst.ts';
import { createPost, createPostWithKey } from './create-post.ts';
import { dashboard } from './dashboard.ts';
import { alone, type Suite, suite } from './harness/benchmark.ts';
import { idle } from './idle.ts';
import { lateness } from './lateness.ts';
import { loadClient } from './load-client.ts';
import { media } from './media.ts';
import { peers } from './peers.ts';
import { openPublishingStage } from './publishing-stage.ts';
import { authentication, getPost, listPosts, statistics } from './reads.ts';
import { sharing } from './sharing.ts';
import { sizes } from './sizes.ts';
import { webhooks } from './webhooks.ts';
import { workers } from './workers.ts';

/** All benchmarks, in the order in which they run. */
export const suites: Suite[] = [
  suite(openApiStage, [createPost, createPostWithKey, getPost, listPosts, authentication, statistics, loadClient]),
  suite(({ scale }) => openPublishingStage(accountsOf(scale)), [burst, peers, lateness]),
  alone(webhooks),
  alone(media),
  alone(idle),
  alone(sizes),
  alone(workers),
  alone(sharing),
  alone(million),
  alone(attack),
  alone(slowReceivers),
  alone(dashboard),
];
