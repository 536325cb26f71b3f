import { beforeEach, expect, test } from 'vitest';
import { DeferredDeletions, type Failure } from './deferred-deletions.ts';
import { areUndoable, type Deletable } from './undoable.ts';

const now = new Date('2027-03-04T12:00:00Z');
const post = (postGroupId: string, more: Partial<Deletable> = {}): Deletable => ({
  postGroupId,
  status: 'draft',
  scheduledTime: null,
  platforms: [],
  ...more,
});
const scheduled = (id: string, scheduledTime = '2027-03-04T13:00:00Z') =>
  post(id, { status: 'scheduled', scheduledTime });

/** The service: what is on it, and which requests fail. */
let stored: Map<string, Deletable['status']>;
let failing: Set<'unschedule' | 'schedule' | 'remove'>;
let shown: Set<string>;
let offers: { undo(): void; end(): void; isOpen: boolean }[];
let notes: string[];
let deletions: DeferredDeletions;

beforeEach(() => {
  stored = new Map();
  failing = new Set();
  shown = new Set();
  offers = [];
  notes = [];
  const request =
    (name: 'unschedule' | 'schedule' | 'remove', change: (one: Deletable) => void) =>
    async (posts: readonly Deletable[]): Promise<Failure[]> => {
      await null;
      if (failing.has(name)) return posts.map((one) => ({ post: one, error: new Error('Lost') }));
      posts.forEach(change);
      return [];
    };
  deletions = new DeferredDeletions(
    {
      unschedule: request('unschedule', (one) => stored.has(one.postGroupId) && stored.set(one.postGroupId, 'draft')),
      schedule: request('schedule', (one) => stored.set(one.postGroupId, 'scheduled')),
      remove: request('remove', (one) => stored.delete(one.postGroupId)),
    },
    {
      hide: (posts) => posts.forEach((one) => void shown.delete(one.postGroupId)),
      show: (posts) => posts.forEach((one) => void shown.add(one.postGroupId)),
      offerUndo(_, { undo, end }) {
        const offer = { undo, end, isOpen: true };
        offers.push(offer);
        return () => {
          offer.isOpen = false;
          // As a notification that is closed.
          end();
        };
      },
      notDeleted: (failures) => notes.push(`not deleted: ${failures.map((one) => one.post.postGroupId)}`),
      notScheduled: (failures) => notes.push(`not scheduled: ${failures.map((one) => one.post.postGroupId)}`),
    },
  );
});

function store(...posts: Deletable[]) {
  for (const { postGroupId, status } of posts) {
    stored.set(postGroupId, status);
    shown.add(postGroupId);
  }
  return posts;
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 1));

test('a deletion is sent once its offer to undo ends', async () => {
  await deletions.start(store(post('a'), post('b')));
  expect([stored.size, shown.size]).toEqual([2, 0]);
  offers[0]!.end();
  offers[0]!.end();
  await settled();
  expect([stored.size, shown.size, notes]).toEqual([0, 0, []]);
});

test('undone posts are as before', async () => {
  await deletions.start(store(post('a'), scheduled('b')));
  offers[0]!.undo();
  await settled();
  expect([...stored]).toEqual([
    ['a', 'draft'],
    ['b', 'scheduled'],
  ]);
  expect([...shown]).toEqual(['a', 'b']);
  offers[0]!.end();
  await deletions.sendNow();
  expect(stored.size).toBe(2);
});

test('a scheduled post is unscheduled before it is reported as deleted, so that it is not published whatever happens then', async () => {
  const [one] = store(scheduled('a'));
  const starting = deletions.start([one!]);
  expect([shown.size, offers.length]).toEqual([0, 0]);
  await starting;
  expect([stored.get('a'), offers.length]).toEqual(['draft', 1]);
  // The tab closes without a request, the session is over, or the request fails.
  failing.add('remove');
  await deletions.sendNow();
  expect([stored.get('a'), [...shown], notes]).toEqual(['draft', ['a'], ['not deleted: a']]);
});

test('a scheduled post that cannot be unscheduled is not reported as deleted', async () => {
  failing.add('unschedule');
  const refused = await deletions.start(store(scheduled('a'), post('b')));
  expect(refused.map((failure) => failure.post.postGroupId)).toEqual(['a']);
  expect([[...shown], stored.get('a')]).toEqual([['a'], 'scheduled']);
  offers[0]!.end();
  await settled();
  expect([...stored]).toEqual([['a', 'scheduled']]);
});

test('another deletion sends the one before', async () => {
  await deletions.start(store(post('a')));
  await deletions.start(store(post('b')));
  await settled();
  expect([[...stored.keys()], offers.map(({ isOpen }) => isOpen)]).toEqual([['b'], [false, true]]);
});

test('leaving the page sends the deletion, even while its posts are still being unscheduled', async () => {
  const starting = deletions.start(store(scheduled('a')));
  await Promise.all([deletions.sendNow(), starting]);
  expect([stored.size, offers.length, notes]).toEqual([0, 0, []]);
});

test('an undone post whose time has passed stays a draft, which is reported', async () => {
  await deletions.start(store(scheduled('a')));
  failing.add('schedule');
  offers[0]!.undo();
  await settled();
  expect([stored.get('a'), [...shown], notes]).toEqual(['draft', ['a'], ['not scheduled: a']]);
});

test.for<[post: Deletable, isUndoable: boolean]>([
  [post('a'), true],
  [post('a', { status: 'failed' }), true],
  [scheduled('a', '2027-03-04T12:02:01Z'), true],
  [scheduled('a', '2027-03-04T12:01:59Z'), false],
  [scheduled('a', '2027-03-04T11:00:00Z'), false],
  [post('a', { status: 'scheduled' }), false],
  [
    post('a', { status: 'scheduled', scheduledTime: '2027-03-04T13:00:00Z', platforms: [{ status: 'pending' }] }),
    false,
  ],
  [post('a', { status: 'published' }), false],
  [post('a', { status: 'partially_published' }), false],
])('%j: %s', ([one, isUndoable]) => {
  expect(areUndoable([post('draft'), one], now)).toBe(isUndoable);
});

test('more than a hundred posts are not undone', () => {
  expect(
    areUndoable(
      Array.from({ length: 101 }, (_, index) => post(String(index))),
      now,
    ),
  ).toBe(false);
});
