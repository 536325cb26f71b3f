import type { AddCommand } from '../context.ts';
import { addCompletion } from './completion.ts';
import { addConnections } from './connections.ts';
import { addDelete } from './delete.ts';
import { addDoctor } from './doctor.ts';
import { addImport } from './import.ts';
import { addList } from './list.ts';
import { addLogin } from './login.ts';
import { addLogs } from './logs.ts';
import { addMcp } from './mcp.ts';
import { addPost } from './post.ts';
import { addRetry } from './retry.ts';
import { addShow } from './show.ts';
import { addTrigger } from './trigger.ts';
import { addUpdate } from './update.ts';
import { addUpload } from './upload.ts';
import { addWatch } from './watch.ts';
import { addWebhooks } from './webhooks.ts';

/** In the order of the help. */
export const commands: readonly AddCommand[] = [
  addLogin,
  addConnections,
  addPost,
  addList,
  addShow,
  addUpdate,
  addRetry,
  addDelete,
  addLogs,
  addWatch,
  addUpload,
  addImport,
  addWebhooks,
  addTrigger,
  addDoctor,
  addMcp,
  addCompletion,
];
