import { z } from 'zod';
import { definePlatform } from '../kit/index.ts';
import { Credentials } from './api.ts';
import { connect, testConnection } from './connect.ts';
import { limits, limitsFor } from './limits.ts';
import { comment, publish } from './publish.ts';

export const mastodon = definePlatform({
  id: 'mastodon',
  name: 'Mastodon',
  limits,
  settings: z.object({}),
  credentials: Credentials,
  connect,
  limitsFor,
  publish,
  comment,
  testConnection,
});
