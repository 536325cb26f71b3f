import { definePlatform } from '../kit/index.ts';
import { Credentials } from './api.ts';
import { comment } from './comment.ts';
import { connect, testConnection } from './connect.ts';
import { description } from './description.ts';
import { publish } from './publish.ts';
import { mentionIssues } from './text.ts';

export const linkedin = definePlatform({
  ...description,
  credentials: Credentials,
  connect,
  validate: ({ text }) => mentionIssues(text),
  publish,
  comment,
  testConnection,
});
