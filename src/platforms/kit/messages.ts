/**
 * The messages people read when a platform fails: what happened, whose side it is on, what to do. Adapters take their
 * common messages from here, so that the same failure reads the same on every platform. The platform's own message goes
 * into `reason`, never in here.
 */
export const messages = {
  serverError: (name: string, status: number) =>
    `${name} returned an error (${status}). The problem is on ${name}'s side. Try again later.`,
  temporaryError: (name: string) =>
    `${name} reported a temporary error. The problem is on ${name}'s side. Try again later.`,
  unreadable: (name: string) =>
    `${name} sent a response that Crier could not read. The problem is on ${name}'s side. Try again later.`,
  blocked: (name: string) =>
    `A firewall in front of ${name} blocked the request before it reached ${name}. Try again later.`,
  rateLimited: (name: string) => `${name} has rate-limited this account. Wait until the limit resets, then try again.`,
  quotaUsedUp: (name: string) =>
    `The account has reached its posting limit on ${name}. Wait until the limit resets, then try again.`,
  refused: (name: string) =>
    `${name} rejected the request. Read the platform's own reason, change the post and try again.`,

  tokenRejected: (name: string) => `${name} no longer accepts the account's access token. Reconnect the account.`,
  signInRejected: (name: string) => `${name} rejected the sign-in. Reconnect the account.`,
  permissionMissing: (name: string) =>
    `The account has not granted a permission that this needs. Reconnect it and allow everything ${name} asks for.`,
  noLongTermAccess: (name: string) =>
    `${name} did not grant long-term access. Reconnect the account and allow everything ${name} asks for.`,
  accountRestricted: (name: string) =>
    `${name} has restricted or suspended the account. Sign in to ${name} to see why, then reconnect it.`,

  applicationUnknown: (name: string) =>
    `${name} does not recognise this service's application. The operator of this service must check its client id and secret.`,
  applicationForbidden: (name: string) =>
    `${name} does not let this service's application do this. The operator of this service must check the application on ${name}.`,
  applicationQuota: (name: string) =>
    `This service has used up its quota on ${name}. Try again later, or ask the operator of this service to raise the quota.`,
  applicationMissing: (platform: string, variables: readonly string[]) =>
    `This service has no application registered with ${platform}. The operator must set ${variables.join(' and ')}.`,

  fileTooLarge: (name: string) => `The file is too large for ${name}. Upload a smaller one.`,
  fileUnreadable: (name: string) => `${name} could not read a file of this post. Check the file and upload it again.`,
  fileNotFetched: (name: string) => `${name} could not download a file of this post. Try again later.`,
  processingFailed: (name: string) =>
    `${name} could not process a file of this post. Convert the file to a common format and publish the post again.`,
  processingTooLong: (name: string) =>
    `${name} has been processing a file of this post for two hours. The post cannot appear before that ends. Try again later, or create the post again.`,
  mediaProcessing: (name: string) => `${name} is still processing the media.`,
  mediaGone: (name: string) => `${name} no longer has the media of this post. Publish the post again.`,
  textTooLong: (name: string) => `The text is too long for ${name}. Shorten it.`,
  duplicate: (name: string) => `${name} does not publish the same text twice. Change the text.`,
  notListedYet: (name: string) =>
    `${name} has this post but does not list it yet. Check the account before you publish it again.`,

  unreachable: (host: string) => `Crier could not connect to ${host}. Nothing was sent. Try again later.`,
  timedOut: (host: string) => `${host} did not respond in time.`,
  connectionLost: (host: string) => `The connection to ${host} was lost before it responded.`,
  stopped: (host: string) => `Crier was stopped before it sent the request to ${host}.`,
  resultTooLong: 'The response of the platform is too long to store. The problem is on its side. Try again later.',
  outcomeUnknown:
    'Crier could not confirm whether the post was published. Check the account before you publish the post again.',
} as const;
