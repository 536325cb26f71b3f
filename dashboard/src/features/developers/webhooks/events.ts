import type { NewWebhook } from '@crier/client';

export type EventName = NewWebhook['events'][number];

/** The events that a webhook can get, in the order of the life of a post. Every event, or this does not compile. */
const meanings: Record<EventName, string> = {
  'post.scheduled': 'A post got its time.',
  'post.published': 'A network has the post.',
  'post.failed': 'A network did not take the post.',
  'post.demoted': 'A scheduled post became a draft again.',
  'token.expiring': 'A channel has to be connected again soon.',
};

export const isEventName = (value: string): value is EventName => Object.hasOwn(meanings, value);

export const webhookEvents = Object.keys(meanings)
  .filter(isEventName)
  .map((value) => ({ value, about: meanings[value] }));

/** JSON on several lines. Anything else stays as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
