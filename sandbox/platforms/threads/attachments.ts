import { parsedJson } from '../../graph/input.ts';
import { asFlag, asText } from '../../http/coerce.ts';
import { isObject, type Json, type JsonObject } from '../../http/json.ts';
import { invalidParam } from './errors.ts';

const replyControls = [
  'everyone',
  'accounts_you_follow',
  'mentioned_only',
  'parent_post_author_only',
  'followers_only',
];
const forTextOnly = ['link_attachment', 'poll_attachment', 'gif_attachment', 'text_attachment'];
const pollOptions = ['option_a', 'option_b', 'option_c', 'option_d'];
const maxOption = 25;
const maxAltText = 1000;
const maxTopic = 50;
const maxAttachedText = 10_000;

/** Reads everything that a container may have besides text and files. */
export function readAttachments(input: JsonObject): JsonObject {
  const isText = asText(input.media_type) === 'TEXT';
  const misplaced = forTextOnly.find((name) => !isText && input[name] !== undefined);
  if (misplaced !== undefined) invalidParam(`Param ${misplaced} is only supported for media_type TEXT.`);
  checkAltText(asText(input.alt_text));
  const poll = readPoll(input.poll_attachment);
  checkAttachedText(input, poll);
  checkGif(input);
  checkGhost(input, isText);
  return {
    replyControl: readReplyControl(asText(input.reply_control)),
    topicTag: readTopic(asText(input.topic_tag)),
    link: asText(input.link_attachment) || null,
    poll,
  };
}

function readReplyControl(value: string): string {
  if (value === '') return 'everyone';
  if (replyControls.includes(value)) return value;
  return invalidParam(`Param reply_control must be one of {${replyControls.join(', ')}} - got "${value}".`);
}

function readTopic(value: string): string | null {
  const isAllowed = [...value].length <= maxTopic && !/[.&]/.test(value);
  if (!isAllowed)
    invalidParam(`Param topic_tag must be 1 to ${maxTopic} characters long, without periods and ampersands.`);
  return value === '' ? null : value;
}

/** An attachment with an invalid shape is ignored silently. */
function readPoll(value: Json | undefined): JsonObject | null {
  const poll = parsedJson(value);
  if (!isObject(poll) || typeof poll.option_a !== 'string' || typeof poll.option_b !== 'string') return null;
  const given = Object.entries(poll).filter(([name]) => pollOptions.includes(name));
  const isRight = (text: Json) => typeof text === 'string' && text !== '' && [...text].length <= maxOption;
  if (!given.every(([, text]) => isRight(text))) {
    invalidParam(`Param poll_attachment must have options of 1 to ${maxOption} characters.`);
  }
  return Object.fromEntries(given);
}

function checkAltText(altText: string): void {
  if ([...altText].length > maxAltText) invalidParam(`Param alt_text must be at most ${maxAltText} characters long.`);
}

function checkAttachedText(input: JsonObject, poll: JsonObject | null): void {
  const attachment = parsedJson(input.text_attachment);
  if (attachment === undefined || attachment === null) return;
  const text = isObject(attachment) ? asText(attachment.plaintext) : '';
  if (text === '' || [...text].length > maxAttachedText) {
    invalidParam(`Param text_attachment must have a plaintext of 1 to ${maxAttachedText} characters.`);
  }
  if (poll !== null) invalidParam('Param text_attachment cannot be used together with poll_attachment.');
}

function checkGif(input: JsonObject): void {
  const gif = parsedJson(input.gif_attachment);
  if (gif === undefined || gif === null) return;
  const isRight = isObject(gif) && asText(gif.gif_id) !== '' && gif.provider === 'GIPHY';
  if (!isRight) invalidParam('Param gif_attachment must have a gif_id and the provider GIPHY.');
}

/** A ghost post is a text that disappears after a day. */
function checkGhost(input: JsonObject, isText: boolean): void {
  if (asFlag(input.is_ghost_post) && (!isText || asText(input.reply_to_id) !== '')) {
    invalidParam('Param is_ghost_post is only supported for posts of media_type TEXT that are no replies.');
  }
}
