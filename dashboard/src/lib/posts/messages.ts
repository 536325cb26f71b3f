import { withPlainNames } from '../platform-name.ts';

/** A message of the API about a channel or a post, in the dashboard's words. */
export const inOurWords = (message: string): string =>
  withPlainNames(message)
    .replace(
      /^(.+?) no longer accepts (?:the account's access token|the connection|the session)\. Reconnect the account\./,
      '$1 has ended Crier’s access. Reconnect the channel.',
    )
    .replace(/(?<=\p{L})'(?=\p{L})/gu, '’');

/** What happened, without what to do about it, which the page says itself or the person has done. */
export const withoutReconnect = (reason: string): string =>
  reason.replace(/\s+Reconnect the (account|channel|Page)\b.*$/, '');

/** What happened, without what to do: while Crier retries, the user does nothing. */
export const withoutAdvice = (message: string): string =>
  message.replace(/ ?\b(?:Try again|Wait|Retry)\b[^.]*\.?(?: |$)/g, ' ').trim() || message;
