import { definePlatform } from '../kit/index.ts';
import { Credentials } from './api.ts';
import { comment } from './comment.ts';
import { connect, testConnection } from './connect.ts';
import { description } from './description.ts';
import { publish } from './publish.ts';
import { remove } from './remove.ts';
import { stats } from './stats.ts';

export const bluesky = definePlatform({
  ...description,
  credentials: Credentials,
  connect,
  publish,
  comment,
  remove,
  testConnection,
  stats,
});
