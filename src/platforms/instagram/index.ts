import { withdrawal } from '../graph/signed-request.ts';
import { definePlatform } from '../kit/index.ts';
import { Credentials } from './api.ts';
import { connect, testConnection } from './connect.ts';
import { storyIssues } from './container.ts';
import { description } from './description.ts';
import { publish } from './publish.ts';

export const instagram = definePlatform({
  ...description,
  credentials: Credentials,
  withdrawal,
  connect,
  validate: (post) => storyIssues(post),
  publish,
  testConnection,
});
