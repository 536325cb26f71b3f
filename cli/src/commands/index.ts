import type { AddCommand } from '../context.ts';
import { addConnections } from './connections.ts';
import { addDelete } from './delete.ts';
import { addList } from './list.ts';
import { addLogin } from './login.ts';
import { addLogs } from './logs.ts';
import { addPost } from './post.ts';
import { addShow } from './show.ts';
import { addUpdate } from './update.ts';

/** In the order of the help. */
export const commands: readonly AddCommand[] = [
  addLogin,
  addConnections,
  addPost,
  addList,
  addShow,
  addUpdate,
  addDelete,
  addLogs,
];
