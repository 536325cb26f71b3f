import { definePlatform } from '../kit/index.ts';
import { actions } from './actions/index.ts';
import { Credentials } from './api.ts';
import { comment } from './comment.ts';
import { connect, testConnection } from './connect.ts';
import { description } from './description.ts';
import { publish } from './publish.ts';
import { remove } from './remove.ts';
import { mentionIssues } from './text.ts';

const platform = definePlatform({
  ...description,
  credentials: Credentials,
  connect,
  validate: ({ text }) => mentionIssues(text),
  publish,
  validateComment: mentionIssues,
  comment,
  remove,
  testConnection,
});

export const linkedin = { ...platform, actions };
