import type { Reword } from './reword.ts';

const aFile =
  'Send file as { "download_url": "https://…", "file_id": "any id" }. To send bytes that you already have, call get_upload_url.';

/** What an agent can do next, by error code, if the REST API has no hint, or one for programmers. */
const byCode: Readonly<Record<string, string>> = {
  INSUFFICIENT_SCOPE:
    'The user has not allowed this. Ask them to add requiredScope to your API key, or to connect you again and approve it.',
  MCP_ACCESS_DISABLED:
    'Only the operator of this Crier instance can enable it. Inform the user; retrying does not help.',
  WORKSPACE_DISABLED:
    'Only the operator of this Crier instance can enable it. Inform the user; retrying does not help.',
  VALIDATION_FAILED:
    'Fix what validation.errors lists. validate_post checks the new text without storing it, and platform_limits shows what each network allows.',
  SCHEDULED_TIME_IN_PAST: 'Send a time after serverTime, or publishNow to publish immediately.',
  POST_LIMIT_REACHED: 'account_context shows the quotas and when they reset.',
  SCHEDULED_POST_LIMIT_REACHED:
    'account_context shows the quotas. list_posts with status "scheduled" shows the waiting posts.',
  SCHEDULE_HORIZON_REACHED: 'account_context shows the latest date that can be scheduled.',
  PLATFORM_NOT_AVAILABLE: 'account_context shows the networks included in the plan.',
  POST_NOT_EDITABLE: 'Only drafts and scheduled posts can be changed. create_post creates a new one.',
  POST_PUBLISH_IN_PROGRESS: 'get_post shows the publishing status.',
  MEDIA_INGESTION_FAILED:
    'Nothing was stored. mediaResults shows what is wrong with each URL. For a file without a public https URL, create a draft without mediaUrls, then call attach_media or get_upload_url.',
  INVALID_MEDIA_FILE: aFile,
  MEDIA_ID_INVALID: 'get_post lists the files of a post with their ids.',
  STATISTICS_PLATFORM_UNSUPPORTED: 'Some networks have separate statistics tools, such as linkedin_post_stats.',
  LINKEDIN_POST_URN_INVALID:
    'get_post returns it as postedId of a published post, such as urn:li:share:7000000000000000000.',
};

/** Where to get a value, by the name of the missing or invalid argument. */
const byArgument: Readonly<Record<string, string>> = {
  postGroupId: 'create_post returns it, and list_posts lists yours.',
  mediaId: 'get_upload_url returns it, and get_post lists the files of a post.',
  platformId: 'list_connections lists the ids.',
  userId: 'list_workspace_users lists the ids.',
  platforms: 'It must be an array of ids. list_connections lists them.',
  file: aFile,
  postedIds: 'It must be a list of 1 to 50 postedId values from get_post or list_posts.',
};

/** The body of an error, with a hint in terms of tools. */
export function withAdvice(body: Record<string, unknown>, reword: Reword): Record<string, unknown> {
  const own = typeof body.hint === 'string' ? reword(body.hint) : undefined;
  const hint = byCode[String(body.code)] ?? own ?? byArgument[String(body.field).split('.', 1)[0] ?? ''];
  return hint === undefined ? body : { ...body, hint };
}
