import { definePlatform } from '../kit/index.ts';
import { Credentials } from './api.ts';
import { connect, testConnection } from './connect.ts';
import { description } from './description.ts';
import { publish } from './publish.ts';
import { remove } from './remove.ts';

export const youtube = definePlatform({
  ...description,
  credentials: Credentials,
  grantsMayBeUnknown: true,
  connect,
  publish,
  remove,
  testConnection,
});
