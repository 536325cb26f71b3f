import type { NewWebhook } from '@crier/client';

export type EventName = NewWebhook['events'][number];

/** Webhook events in the order of a post's lifecycle. The type requires all of them. */
const meanings: Record<EventName, string> = {
  'post.scheduled': 'A post was scheduled.',
  'post.published': 'A post was published on a network.',
  'post.failed': 'A post failed on a network.',
  'post.demoted': 'A scheduled post was moved back to drafts.',
  'token.expiring': 'A channel’s access expires soon.',
};

export const isEventName = (value: string): value is EventName => Object.hasOwn(meanings, value);

export const webhookEvents = Object.keys(meanings)
  .filter(isEventName)
  .map((value) => ({ value, about: meanings[value] }));

/** Formats JSON on several lines. Other text is unchanged. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
