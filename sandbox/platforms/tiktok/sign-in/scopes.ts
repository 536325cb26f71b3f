export const scopes = [
  'user.info.basic',
  'user.info.profile',
  'user.info.stats',
  'video.list',
  'video.publish',
  'video.upload',
];

export const everyScope = scopes.join(',');

export function splitScopes(scope: string): string[] {
  return scope.split(',').filter(Boolean);
}
