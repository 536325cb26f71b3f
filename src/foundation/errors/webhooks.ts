import type { ProblemEntries } from './problem-entry.ts';

/** Used in the errors below, and checked where they are thrown. */
export const webhookLimits = { nameLength: 100, urlLength: 2048, perUser: 10 } as const;

/** Errors of webhooks (contract.md#webhooks). */
export const webhookProblems = {
  webhook_fields_missing: { status: 400, error: 'Name, URL, and at least one event are required' },
  webhook_name_too_long: { status: 400, error: `Name must have at most ${webhookLimits.nameLength} characters` },
  webhook_url_too_long: {
    status: 400,
    error: `URL must have at most ${webhookLimits.urlLength.toLocaleString('en-US')} characters`,
  },
  webhook_url_invalid: { status: 400, error: 'Invalid URL format' },
  webhook_events_invalid: { status: 400, error: 'Invalid events' },
  webhook_url_not_https: { status: 400, error: 'URL must use HTTPS' },
  webhook_url_credentials: { status: 400, error: 'URLs with a user name or password are not allowed' },
  webhook_url_private_name: { status: 400, error: 'Private host names are not allowed' },
  webhook_url_localhost: { status: 400, error: 'Localhost URLs are not allowed' },
  webhook_url_private: { status: 400, error: 'Private IP addresses are not allowed' },
  webhook_url_link_local: { status: 400, error: 'Link-local addresses are not allowed' },
  webhook_url_metadata: { status: 400, error: 'Cloud metadata endpoints are not allowed' },
  webhook_limit: { status: 400, error: `Maximum of ${webhookLimits.perUser} webhooks per user` },
  webhook_not_found: { status: 404, error: 'Webhook not found' },
  webhook_inactive: { status: 409, error: 'The webhook is disabled. Enable it, then try again.' },
  delivery_not_found: { status: 404, error: 'Delivery not found' },
  webhook_list_failed: { status: 500, error: 'Failed to list webhooks' },
  webhook_create_failed: { status: 500, error: 'Failed to create webhook' },
  webhook_update_failed: { status: 500, error: 'Failed to update webhook' },
  webhook_delete_failed: { status: 500, error: 'Failed to delete webhook' },
  webhook_secret_failed: { status: 500, error: 'Failed to regenerate secret' },
  webhook_deliveries_failed: { status: 500, error: 'Failed to list deliveries' },
  webhook_test_failed: { status: 500, error: 'Failed to send' },
} as const satisfies ProblemEntries;
