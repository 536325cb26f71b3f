import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import { maxCharacters, versionOf } from './hosts.ts';
import { maxAttachments, mediaLimits } from './media.ts';
import { pollLimits } from './poll.ts';

export function instanceV2(call: Call): HttpResponse {
  const { host } = call;
  return json({
    domain: host,
    title: host,
    version: versionOf(host),
    source_url: 'https://github.com/mastodon/mastodon',
    description: 'A server of the sandbox.',
    usage: { users: { active_month: 1 } },
    thumbnail: { url: `https://${host}/thumbnail.png` },
    icon: [],
    languages: ['en'],
    configuration: {
      ...configuration(host),
      urls: {
        streaming: `wss://${host}`,
        status: null,
        about: `https://${host}/about`,
        privacy_policy: null,
        terms_of_service: null,
      },
      vapid: { public_key: '' },
      translation: { enabled: false },
      limited_federation: false,
    },
    registrations: { enabled: true, approval_required: false, message: null, url: null },
    api_versions: { mastodon: 11 },
    contact: { email: `admin@${host}`, account: null },
    rules: [],
  });
}

/** The older format, which some clients request first. */
export function instanceV1(call: Call): HttpResponse {
  const { host } = call;
  return json({
    uri: host,
    title: host,
    short_description: 'A server of the sandbox.',
    description: 'A server of the sandbox.',
    email: `admin@${host}`,
    version: versionOf(host),
    urls: { streaming_api: `wss://${host}` },
    stats: { user_count: 1, status_count: call.sandbox.store.posts.count('mastodon'), domain_count: 1 },
    thumbnail: `https://${host}/thumbnail.png`,
    languages: ['en'],
    registrations: true,
    approval_required: false,
    invites_enabled: true,
    configuration: configuration(host),
    contact_account: null,
    rules: [],
  });
}

function configuration(host: string) {
  return {
    accounts: { max_featured_tags: 10, max_pinned_statuses: 5 },
    statuses: {
      max_characters: maxCharacters(host),
      max_media_attachments: maxAttachments,
      characters_reserved_per_url: 23,
    },
    media_attachments: mediaLimits,
    polls: pollLimits,
  };
}
