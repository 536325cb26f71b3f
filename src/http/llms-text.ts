/** A short guide to the API for AI agents, in the format of llmstxt.org. */
export const llmsText = (publicUrl: string) => `# Crier

> Social publishing service: one call sends a post to your connected accounts, now or at the time asked for, once and only once.

Base URL: ${publicUrl}/api/v1. Every call carries the header \`x-service-key: <API key>\`. Bodies are JSON, times are ISO 8601 in UTC.

- POST /create-post \`{ "content": "…", "platforms": ["mastodon-…"], "publishNow": true }\` publishes at once. Use \`scheduledTime\` instead of \`publishNow\` to schedule; without either the post is a draft. Send an \`Idempotency-Key\` header: a retry with the same key and body gets the first answer and posts nothing twice. With \`platforms: ["service-playground"]\` a call is validated and acknowledged, but nothing is stored.
- POST /validate-post takes the same body, answers what the networks would refuse, and stores nothing.
- GET /get-post/{postGroupId} shows the state of each target: \`postedId\` and \`permalink\` when published, \`error.code\` when failed.
- PUT /update-post/{postGroupId} changes a draft or scheduled post. Fields that the body leaves out stay unchanged.
- GET /list-posts lists posts. GET /post-logs/{postGroupId} shows what happened to one.
- DELETE /delete-post/{postGroupId} removes a post from Crier in any state. A post that a network has already published stays there.
- Media: create a draft, POST /get-upload-url, PUT the file to \`uploadUrl\` with the same Content-Type, then PUT /update-post with \`scheduledTime\` or \`publishNow\`. Or pass \`mediaUrls\` (public https) to create-post. POST /complete-media/{mediaId} checks a file before the post needs it. DELETE /media/{mediaId} removes it.
- GET /platform-connections lists the accounts you can post to. POST /test-connection/{platformId} asks the network whether an account works.
- POST /webhooks subscribes an https address of yours to the events post.scheduled, post.published, post.failed and post.demoted.
- GET /account-context shows the plan, its features, its quotas and what is left of them. GET /platform-limits shows what each network allows.

Errors are \`{ "error": "text", "code": "STABLE_CODE" }\` with a 4xx status: branch on \`code\`. \`PUBLISH_OUTCOME_UNKNOWN\` means that the network may have published the post: check before you post again.

## Docs

- [OpenAPI document](${publicUrl}/api/v1/openapi.json): every route, field, answer and code
- [Reference](${publicUrl}/docs): the same, to read
`;
