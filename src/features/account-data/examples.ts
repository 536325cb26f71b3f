/** Examples for the API reference. A test validates each value against the schema of its route. */

const proof = { password: 'correct horse battery staple' };
const deletionAt = '2027-03-08T12:00:00.000Z';

export const deleteAccount = {
  request: proof,
  response: { message: 'The account will be deleted. Until then, you can keep it.', deletionAt },
};
export const keepAccount = { response: { message: 'The account stays', deletionAt: null } };
export const exportAccount = {
  request: proof,
  response: {
    exportedAt: '2027-03-01T12:00:00.000Z',
    user: { id: '019a86c0a1b2c3d4e5f60718', email: 'ada@example.com', name: 'Ada' },
    postGroups: [{ id: '019a86c0d4e5f60718293a4b', content: 'Hello', status: 'published' }],
    brands: [],
  },
};
