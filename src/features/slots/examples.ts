/** Examples for the API reference. A test validates each value against the schema of its route. */

const slots = {
  timeZone: 'Europe/Berlin',
  slots: [
    { weekday: 1, time: '09:30', platformId: null },
    { weekday: 4, time: '17:00', platformId: 'mastodon-109348222000000001' },
  ],
};

export const setPostingSlots = { request: slots, response: { success: true, ...slots } };
export const getPostingSlots = { response: { success: true, ...slots } };
export const getNextSlot = {
  response: {
    success: true,
    publishAt: '2027-03-04T16:00:00.000Z',
    localTime: '2027-03-04T17:00:00+01:00',
    timeZone: 'Europe/Berlin',
  },
};
