import { withdrawal } from '../graph/signed-request.ts';
import { definePlatform } from '../kit/index.ts';
import { Credentials } from './api.ts';
import { comment } from './comment.ts';
import { connect, testConnection } from './connect.ts';
import { description } from './description.ts';
import { publish, publishThread } from './publish.ts';
import { remove } from './remove.ts';
import { threadPermission } from './thread-permission.ts';

export const threads = definePlatform({
  ...description,
  credentials: Credentials,
  withdrawal,
  connect,
  publish,
  publishThread,
  threadPermission,
  comment,
  remove,
  testConnection,
});
