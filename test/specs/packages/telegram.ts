import type { Json } from '../../../src/foundation/lib/json.ts';
import { type Exchange, isObject, type JsonObject } from '../exchange.ts';
import { packageFile, packageVersion } from './package.ts';
import { type TypedCall, typeSpec, uploadedFile } from './type-check.ts';

const name = '@gramio/types';

/** Types generated from the documentation page of the Bot API. */
export function telegramSpec() {
  const [, described] = /Based on (Bot API [^\n]*)/.exec(packageFile(`${name}/out/index.d.ts`)) ?? [];
  return typeSpec({
    source: `${packageVersion(name)}, ${described}`,
    imports: `import type { APIMethods, APIMethodParams, TelegramAPIResponseError, TelegramAPIResponseOk } from '${name}';`,
    typesOf,
  });
}

function typesOf({ host, method: verb, path, request, answer }: Exchange): TypedCall | null {
  const [, method] = /^\/bot[^/]+\/(\w+)$/.exec(path) ?? [];
  if (host !== 'api.telegram.org') return null;
  const isCall = method !== undefined && (verb === 'GET' || verb === 'POST');
  if (!isCall) return { values: [], problems: [`${verb} ${path} is no call of the Bot API.`] };
  const { fields, problems } = fieldsIn(request.headers['content-type'] ?? '', request.body);
  const named = JSON.stringify(method);
  const isOk = isObject(answer?.body) && answer.body.ok === true;
  const answerType = isOk ? `TelegramAPIResponseOk<${named}>` : `TelegramAPIResponseError`;
  const hasFields = Object.keys(fields).length > 0;
  return {
    problems,
    values: [
      { of: 'request', type: `keyof APIMethods`, value: method },
      ...(hasFields ? [{ of: 'request' as const, type: `APIMethodParams<${named}>`, value: fields }] : []),
      ...(answer ? [{ of: 'answer' as const, type: answerType, value: withoutOldNames(answer.body) }] : []),
    ],
  };
}

/**
 * Telegram's own server still sends the old name of a right next to the current one, although the page no longer
 * mentions it: https://github.com/tdlib/telegram-bot-api, Client.cpp of 2026-05-07.
 */
function withoutOldNames(body: Json): Json {
  if (!isObject(body) || !isObject(body.result)) return body;
  const { can_manage_voice_chats: _, ...result } = body.result;
  return { ...body, result };
}

/** In a form, any value that is not text is written as JSON, and a file is a part that the JSON may refer to. */
function fieldsIn(contentType: string, body: Json): { fields: JsonObject; problems: string[] } {
  if (!isObject(body)) return { fields: {}, problems: [] };
  if (!contentType.startsWith('multipart/')) return { fields: body, problems: [] };
  const files = Object.entries(body).filter(([, value]) => isUpload(value));
  const texts = Object.entries(body).filter(([, value]) => !isUpload(value));
  const fields = Object.fromEntries(
    texts.map(([field, value]) => [field, plainText.has(field) ? value : parsed(value)]),
  );
  const references = [...JSON.stringify(fields).matchAll(/attach:\/\/([\w-]+)/g)].map(([, part]) => part ?? '');
  const parts = files.map(([part]) => part);
  const missing = references.filter((part) => !parts.includes(part));
  const direct = parts.filter((part) => !references.includes(part)).map((part) => [part, uploadedFile]);
  return {
    fields: { ...fields, ...Object.fromEntries(direct) },
    problems: missing.map((part) => `request: attach://${part} names no part of the form.`),
  };
}

const plainText = new Set(['caption', 'text', 'chat_id']);
const isUpload = (value: Json | undefined) => isObject(value) && typeof value.bytes === 'number' && 'type' in value;

function parsed(value: Json | undefined): Json {
  try {
    return JSON.parse(String(value));
  } catch {
    return value ?? null;
  }
}
