import { refuse } from '../../graph/errors.ts';

const maxLength = 2200;
const maxHashtags = 30;
const maxMentions = 20;

export function checkCaption(caption: string): void {
  const hashtags = caption.match(/(?<![\w&/])#[\p{L}\p{N}_]+/gu)?.length ?? 0;
  const mentions = caption.match(/(?<![\w.])@[\w.]+/g)?.length ?? 0;
  if ([...caption].length <= maxLength && hashtags <= maxHashtags && mentions <= maxMentions) return;
  refuse('The caption is too long.', {
    code: 36004,
    subcode: 2207010,
    userMessage: [
      'Caption too long',
      `The caption was too long. The maximum is ${maxLength} characters, ${maxHashtags} hashtags and ${maxMentions} @ tags.`,
    ],
  });
}
