/** Examples of the profile for the API reference. A test validates each value. */

const profile = {
  name: 'Ada',
  email: 'ada@example.com',
  timeZone: 'Europe/Berlin',
  weekStart: 'monday',
  hourCycle: '24',
  language: 'en-GB',
  isWelcomeDone: true,
  dismissedFailures: [],
  workspaceOwner: null,
  hasWorkspace: false,
  canSetUpWorkspace: false,
  createdAt: '2027-03-01T12:00:00.000Z',
};

export const getProfile = { response: profile };
export const updateProfile = {
  request: { timeZone: 'Europe/Berlin', hourCycle: '24', isWelcomeDone: true },
  response: profile,
};
