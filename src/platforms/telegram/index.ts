import { definePlatform } from '../kit/index.ts';
import { Credentials } from './api.ts';
import { connect, testConnection } from './connect.ts';
import { description } from './description.ts';
import { publish } from './publish.ts';
import { remove } from './remove.ts';

export const telegram = definePlatform({
  ...description,
  credentials: Credentials,
  connectedMessage: ({ displayName }) => `Bot can post to ${displayName}`,
  connect,
  publish,
  remove,
  testConnection,
});
