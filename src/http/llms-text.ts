/** How an agent uses the API, in the form of llmstxt.org. */
export const llmsText = (publicUrl: string) => `# Crier

> Social publishing service: one call sends a post to your connected accounts, now or at the time asked for, once and only once.

Base URL: ${publicUrl}/api/v1. Every call carries the header \`x-service-key: <API key>\`. Bodies are JSON, times are ISO 8601 in UTC.

- POST /create-post \`{ "content": "…", "platforms": ["mastodon-…"], "publishNow": true }\` publishes at once. \`scheduledTime\` instead of \`publishNow\` schedules; neither makes a draft. Send an \`Idempotency-Key\` header: a retry with the same key and body gets the first answer and posts nothing twice. \`platforms: ["service-playground"]\` tries a call out: checked, acknowledged, thrown away.
- POST /validate-post takes the same body, says what the networks would object to, and stores nothing.
- GET /get-post/{postGroupId} shows the state of each target: \`postedId\` and \`permalink\` when published, \`error.code\` when failed.
- PUT /update-post/{postGroupId} changes a draft or scheduled post: what the body names, nothing else.
- GET /list-posts, GET /post-logs/{postGroupId}: what there is, and what happened to it.
- DELETE /delete-post/{postGroupId} removes a post from Crier in any state. What a network has already published stays there.
- Media: create a draft, POST /get-upload-url, PUT the file to \`uploadUrl\` with the same Content-Type, then PUT /update-post with \`scheduledTime\` or \`publishNow\`. Or pass \`mediaUrls\` (public https) to create-post. POST /complete-media/{mediaId} checks a file early; DELETE /media/{mediaId} removes it.
- GET /platform-connections: the accounts you can post to. POST /test-connection/{platformId} asks the network whether one works.
- POST /webhooks: be told of post.scheduled, post.published, post.failed, post.demoted at an https address of yours.
- GET /account-context: plan, features, quotas and what is left of them. GET /platform-limits: what each network allows.

Errors are \`{ "error": "text", "code": "STABLE_CODE" }\` with a 4xx status: branch on \`code\`. \`PUBLISH_OUTCOME_UNKNOWN\` means that the network may have the post: look before you post again.

## Docs

- [OpenAPI document](${publicUrl}/api/v1/openapi.json): every route, field, answer and code
- [Reference](${publicUrl}/docs): the same, to read
`;
