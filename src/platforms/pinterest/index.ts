import type { Connectable } from '../kit/index.ts';
import { Credentials } from './api.ts';
import { connect } from './connect.ts';
import { description } from './description.ts';

export const pinterest = { ...description, credentials: Credentials, connect } satisfies Connectable<
  typeof description.settings,
  typeof Credentials
>;
