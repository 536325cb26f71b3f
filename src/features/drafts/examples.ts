/** Examples for the API reference. A test validates each value against the schema of its route. */

const draft = { text: 'Hello', channels: ['mastodon-109348222000000001'], date: '2027-03-05', time: '09:00' };
const stored = { _id: '0199f1c2a3b4c5d6e7f80915', version: 3, draft, updatedAt: '2027-03-04T05:06:07.089Z' };

export const listDrafts = {
  response: {
    drafts: [stored],
    pagination: { page: 1, limit: 50, totalItems: 1, totalPages: 1, hasNextPage: false, hasPrevPage: false },
  },
};
export const getDraft = { response: stored };
export const saveDraft = { request: { version: 2, draft }, response: stored };
export const deleteDraft = { response: { success: true } };
