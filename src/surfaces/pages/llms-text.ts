import { webhookEventNames } from '../../foundation/events/catalogue.ts';

/** How an agent uses the API, in the format of llmstxt.org. */
export const llmsText = (publicUrl: string) => `# Crier

> Social publishing service: one call publishes a post to your connected accounts, immediately or at a scheduled time, exactly once.

Base URL: ${publicUrl}/api/v1. Every call needs the header \`x-service-key: <API key>\`. Bodies are JSON, times are ISO 8601 in UTC.

- POST /create-post \`{ "content": "…", "platforms": ["mastodon-…"], "publishNow": true }\` publishes immediately. With \`scheduledTime\` instead of \`publishNow\` the post is scheduled; with neither it is a draft. Send an \`Idempotency-Key\` header: a retry with the same key and body returns the first response and publishes nothing twice. To try a call, send \`platforms: ["service-playground"]\`: it is validated and acknowledged, and nothing is stored.
- POST /validate-post takes the same body, reports what the networks would reject, and stores nothing.
- GET /get-post/{postGroupId} shows the status of each target: \`postedId\` and \`permalink\` when published, \`error.code\` when failed.
- PUT /update-post/{postGroupId} changes the given fields of a draft or scheduled post.
- GET /list-posts lists posts. GET /post-logs/{postGroupId} lists the events of one.
- DELETE /delete-post/{postGroupId} removes a post from Crier in any status. Posts already published stay on their networks.
- Media: create a draft, POST /get-upload-url, PUT the file to \`uploadUrl\` with the same Content-Type, then PUT /update-post with \`scheduledTime\` or \`publishNow\`. Or pass \`mediaUrls\` (public https) to create-post. POST /complete-media/{mediaId} checks a file early; PATCH /media/{mediaId} \`{ "altText": "…" }\` sets its alt text; DELETE /media/{mediaId} removes it. GET /media lists files.
- GET /platform-connections lists your connected accounts. POST /test-connection/{platformId} asks the network whether one works.
- POST /webhooks registers an https URL that receives the events ${new Intl.ListFormat('en-GB').format(webhookEventNames)}.
- GET /account-context shows the plan, its features, and the used and remaining quotas. GET /platform-limits shows what each network allows.

Errors are \`{ "error": "text", "code": "STABLE_CODE", "requestId": "…" }\` with a 4xx or 5xx status, often with a \`hint\`: branch on \`code\`. Unknown fields are ignored and listed in \`warnings\` with the code \`UNKNOWN_FIELD\`. \`PUBLISH_OUTCOME_UNKNOWN\` means that the network may have published the post: check before you post again.

MCP clients connect to ${publicUrl}/mcp instead, with \`Authorization: Bearer <API key>\` or with OAuth.

## Docs

- [OpenAPI document](${publicUrl}/api/v1/openapi.json): every operation that takes an API key, with its fields, responses and codes, for machines
- [Everything as one text](${publicUrl}/llms-full.txt): the whole reference and all guides
- [API reference](${publicUrl}/docs): the same for people
`;
