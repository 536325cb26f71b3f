import type { NewWebhook } from '@crier/client';

export type EventName = NewWebhook['events'][number];

/** What a webhook can be told, in the order of the life of a post. */
export const webhookEvents: readonly { value: EventName; about: string }[] = [
  { value: 'post.scheduled', about: 'A post got its time.' },
  { value: 'post.published', about: 'A network has the post.' },
  { value: 'post.failed', about: 'A network did not take the post.' },
  { value: 'post.demoted', about: 'A scheduled post became a draft again.' },
  { value: 'token.expiring', about: 'A channel has to be connected again soon.' },
];

export const isEventName = (value: string): value is EventName => webhookEvents.some((event) => event.value === value);

/** JSON on several lines. Anything else stays as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
