import type { Network } from '../network.ts';
import { mastodon } from './mastodon/index.ts';

/** Every network that the sandbox plays: one line each. */
export const networks: readonly Network[] = [mastodon];
