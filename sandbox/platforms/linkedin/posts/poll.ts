import { asText } from '../../../http/coerce.ts';
import { isObject, type JsonObject } from '../../../http/json.ts';
import { invalidField } from '../errors.ts';

const maxQuestion = 140;
const maxOption = 30;
const options = { min: 2, max: 4 };
const durations = ['ONE_DAY', 'THREE_DAYS', 'SEVEN_DAYS', 'FOURTEEN_DAYS'];

/** Returns an empty list, because a poll has no files. */
export function checkPoll(poll: JsonObject): [] {
  checkLength('content/poll/question', asText(poll.question), maxQuestion);
  const list = Array.isArray(poll.options) ? poll.options : [];
  if (list.length < options.min || list.length > options.max) {
    invalid('content/poll/options', `There must be ${options.min} to ${options.max} options`);
  }
  for (const option of list) {
    checkLength('content/poll/options', isObject(option) ? asText(option.text) : '', maxOption);
  }
  const duration = isObject(poll.settings) ? asText(poll.settings.duration) : '';
  if (!durations.includes(duration)) {
    invalid('content/poll/settings/duration', `The duration must be one of: ${durations.join(', ')}`);
  }
  return [];
}

function checkLength(field: string, text: string, max: number): void {
  if (text.trim() === '') invalid(field, 'A text is required');
  if (text.length > max) invalidField('FIELD_LENGTH_TOO_LONG', field, `The maximum is ${max} characters`);
}

function invalid(field: string, description: string): never {
  invalidField('INVALID_VALUE_FOR_FIELD', field, description);
}
