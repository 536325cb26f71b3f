import { withdrawal } from '../graph/signed-request.ts';
import { definePlatform } from '../kit/index.ts';
import { Credentials } from './api.ts';
import { connect, testConnection } from './connect.ts';
import { description } from './description.ts';
import { publish } from './publish.ts';
import { remove } from './remove.ts';

export const facebook = definePlatform({
  ...description,
  credentials: Credentials,
  withdrawal,
  connect,
  publish,
  remove,
  testConnection,
});
