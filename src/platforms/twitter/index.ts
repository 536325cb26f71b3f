import { definePlatform } from '../kit/index.ts';
import { Credentials } from './api.ts';
import { comment } from './comment.ts';
import { connect, testConnection } from './connect.ts';
import { description } from './description.ts';
import { publish, publishThread } from './publish.ts';
import { remove } from './remove.ts';

export const twitter = definePlatform({
  ...description,
  credentials: Credentials,
  connect,
  publish,
  publishThread,
  comment,
  remove,
  testConnection,
});
