interface KnownDifference {
  readonly platform: string;
  readonly problem: RegExp;
  /** Why the description is wrong or incomplete here, with the source. As of November 2026. */
  readonly why: string;
}

const mastodonDocs = 'https://docs.joinmastodon.org/entities';

/** Contradictions between a description and the vendor's documentation or its servers' behaviour. */
const differences: readonly KnownDifference[] = [
  {
    platform: 'bluesky',
    problem:
      /^(request: the parameter "(did|name)" is unknown|answer: (Output must have the property "jobStatus"|the field "\/(jobId|did|state|progress|blob)" is unknown))$/,
    why: "The video service takes did and name, and answers with the job itself: Bluesky's tutorial, https://docs.bsky.app/docs/tutorials/video",
  },
  {
    platform: 'mastodon',
    problem: /"\/redirect_uris" is ".*", not array|the field ".*\/(vapid|size|preview_remote_url|text_url)" is unknown/,
    why: `The OpenAPI document, which is made from the documentation, lacks what servers send, and that one address may be a text: ${mastodonDocs}/Application`,
  },
  {
    platform: 'facebook',
    problem: /the field "tasks" is unknown/,
    why: 'Pages have it in this list alone: https://developers.facebook.com/docs/graph-api/reference/user/accounts',
  },
  {
    platform: 'facebook',
    problem: /^request: the parameter "source" is unknown$/,
    why: 'The file itself: https://developers.facebook.com/docs/graph-api/reference/page/photos',
  },
  {
    platform: 'facebook',
    problem: /^DELETE \/ is no call on PagePost\.$/,
    why: 'Posts of a page can be deleted: https://developers.facebook.com/docs/graph-api/reference/pagepost/',
  },
  {
    platform: 'instagram',
    problem: /^answer: "user_id" is "\d+", not int$/,
    why: 'The documentation shows a text: https://developers.facebook.com/docs/instagram-platform/reference/me',
  },
  {
    platform: 'twitter',
    problem: /^POST \/2\/oauth2\/token is not in the document\.$/,
    why: 'OAuth is described beside the document: https://docs.x.com/fundamentals/authentication/oauth-2-0',
  },
  {
    platform: 'twitter',
    problem: /^answer: ("\/type" is "about:blank"|the field "\/errors" is unknown)/,
    why: 'Problems without a page of their own have this type, and refused parameters are listed: https://docs.x.com/x-api/fundamentals/response-codes-and-errors',
  },
];

export const isKnownDifference = (platform: string, problem: string): boolean =>
  differences.some((one) => one.platform === platform && one.problem.test(problem));
