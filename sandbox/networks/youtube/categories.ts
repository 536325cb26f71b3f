import type { Answer } from '../../answer.ts';
import type { Call } from '../../network.ts';
import { listAnswer, readParts, resource } from './resources.ts';
import { reading } from './scopes.ts';
import { signIn } from './sign-in.ts';

/** Those that a video can be put into. */
export const categories = [
  { id: '1', title: 'Film & Animation' },
  { id: '2', title: 'Autos & Vehicles' },
  { id: '10', title: 'Music' },
  { id: '15', title: 'Pets & Animals' },
  { id: '17', title: 'Sports' },
  { id: '19', title: 'Travel & Events' },
  { id: '20', title: 'Gaming' },
  { id: '22', title: 'People & Blogs' },
  { id: '23', title: 'Comedy' },
  { id: '24', title: 'Entertainment' },
  { id: '25', title: 'News & Politics' },
  { id: '26', title: 'Howto & Style' },
  { id: '27', title: 'Education' },
  { id: '28', title: 'Science & Technology' },
  { id: '29', title: 'Nonprofits & Activism' },
];

export function listCategories(call: Call): Answer {
  signIn(call, reading);
  const parts = readParts(call, ['snippet']);
  return listAnswer(call, 'videoCategoryListResponse', categories, ({ id, title }) =>
    resource('videoCategory', id, parts, { snippet: () => ({ title, assignable: true }) }),
  );
}
