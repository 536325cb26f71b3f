/** Examples for the API reference. A test validates each value against the schema of its route. */

const platformId = 'linkedin-Tz9XW0kq1a';
const postedId = 'urn:li:share:7160000000000000001';

export const createLinkedinComment = {
  request: { postedId, message: 'Thank you!', platformId },
  response: {
    success: true,
    comment: {
      id: '7160000000000000002',
      commentUrn: `urn:li:comment:(${postedId},7160000000000000002)`,
      message: 'Thank you!',
      created: { time: 1772000000000 },
    },
  },
};
export const deleteLinkedinComment = {
  request: { postedId, commentId: '7160000000000000002', platformId },
  response: { success: true, deleted: '7160000000000000002' },
};
export const createLinkedinReaction = {
  request: { postedId, reactionType: 'PRAISE', platformId },
  response: {
    success: true,
    reaction: { id: `urn:li:reaction:(urn:li:person:Tz9XW0kq1a,${postedId})`, reactionType: 'PRAISE' },
  },
};
export const deleteLinkedinReaction = {
  request: { postedId, platformId },
  response: { success: true, reaction: null },
};
export const createLinkedinReshare = {
  request: { platformId, parent: postedId, commentary: 'Worth reading.' },
  response: { success: true, reshare: { lifecycleState: 'PUBLISHED', id: 'urn:li:share:7160000000000000003' } },
};
export const listLinkedinMentionables = {
  response: {
    success: true,
    people: [
      {
        personId: 'urn:li:person:aB3dE5fG7h',
        name: 'Ben Harbour',
        profileUrl: '',
        profilePicture: '',
        source: 'comment',
        lastSeenAt: '2027-03-04T09:00:00.000Z',
        mention: '@{urn:li:person:aB3dE5fG7h|Ben Harbour}',
      },
    ],
  },
};
