import { requiring, type Tool } from '../tool.ts';

const isOpenWorld = true;

export const linkedinTools: readonly Tool[] = [
  {
    name: 'linkedin_create_reaction',
    title: 'React to a LinkedIn post',
    description:
      'Reacts to a post as one of the connected LinkedIn accounts. An account can have one reaction per post. To choose another, call linkedin_delete_reaction first.',
    operationId: 'createLinkedinReaction',
    effect: 'write',
    isOpenWorld,
  },
  {
    name: 'linkedin_delete_reaction',
    title: 'Delete a LinkedIn reaction',
    description: "Deletes a connected account's reaction to a post.",
    operationId: 'deleteLinkedinReaction',
    effect: 'destructive',
    isIdempotent: true,
    isOpenWorld,
    input: (schema) => requiring(schema, 'postedId', 'platformId'),
  },
  {
    name: 'linkedin_create_comment',
    title: 'Comment on a LinkedIn post',
    description:
      'Comments on a post, or replies to a comment with parentComment. To mention a person, use the text from linkedin_list_mentionables. The comment is public immediately: show it to the user first.',
    operationId: 'createLinkedinComment',
    effect: 'write',
    isOpenWorld,
  },
  {
    name: 'linkedin_delete_comment',
    title: 'Delete a LinkedIn comment',
    description: "Deletes a connected account's comment. This cannot be undone.",
    operationId: 'deleteLinkedinComment',
    effect: 'destructive',
    isIdempotent: true,
    isOpenWorld,
    input: (schema) => requiring(schema, 'postedId', 'commentId', 'platformId'),
  },
  {
    name: 'linkedin_create_reshare',
    title: 'Reshare a LinkedIn post',
    description:
      'Reshares a post immediately, with an optional text. To schedule a reshare, call create_post with platformSettings.linkedin.',
    operationId: 'createLinkedinReshare',
    effect: 'write',
    isOpenWorld,
  },
  {
    name: 'linkedin_list_mentionables',
    title: 'List people who can be mentioned on LinkedIn',
    description:
      'Lists people who commented on posts or reacted to them in the last two days. mention is the text to use in a post or a comment.',
    operationId: 'listLinkedinMentionables',
    effect: 'read',
  },
  {
    name: 'linkedin_post_stats',
    title: 'Read the statistics of a LinkedIn post',
    description:
      'Reads the impressions, reach, reactions, comments or reshares of one post: one metric with queryType, or several with queryTypes. For other networks, call post_stats.',
    operationId: 'getLinkedinPostStatistics',
    effect: 'read',
    isOpenWorld,
  },
  {
    name: 'linkedin_account_stats',
    title: 'Read the statistics of a LinkedIn account',
    description: 'Reads the statistics of all posts of one LinkedIn account, in total or per day.',
    operationId: 'getLinkedinAccountStatistics',
    effect: 'read',
    isOpenWorld,
  },
  {
    name: 'linkedin_followers',
    title: 'Read the followers of a LinkedIn account',
    description: 'Reads the number of followers of a LinkedIn account, or its daily growth.',
    operationId: 'getLinkedinFollowers',
    effect: 'read',
    isOpenWorld,
  },
  {
    name: 'linkedin_profile_summary',
    title: 'Read a summary of a LinkedIn account',
    description: 'Reads the followers of a LinkedIn account and the totals of its posts in one call.',
    operationId: 'getLinkedinProfileSummary',
    effect: 'read',
    isOpenWorld,
  },
];
