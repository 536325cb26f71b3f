import type { Tool } from '../tool.ts';
import { accountTools, workspaceTools } from './accounts.ts';
import { linkedinTools } from './linkedin.ts';
import { mediaTools } from './media.ts';
import { postTools } from './posts.ts';
import { statisticsTools } from './statistics.ts';

/** Every tool, in the order clients list them. */
export const tools: readonly Tool[] = [
  ...accountTools,
  ...postTools,
  ...mediaTools,
  ...statisticsTools,
  ...linkedinTools,
  ...workspaceTools,
];
