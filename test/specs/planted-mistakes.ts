import type { Json } from '../../src/foundation/lib/json.ts';
import { type Exchange, isObject, type JsonObject } from './exchange.ts';

/** A recorded call with one mistake in it. */
export interface PlantedMistake {
  readonly title: string;
  readonly exchange: Exchange;
}

/** A call of a network with fields that can be broken. Mistakes that its description cannot detect are left out. */
interface Plan {
  readonly call: RegExp;
  /** The description does not name parameters. */
  readonly anyParameter?: true;
  /** A field of the body or a query parameter, and a value of the wrong type. */
  readonly wrongRequest?: readonly [path: string, value: Json];
  readonly missingRequest?: string;
  readonly wrongAnswer?: readonly [path: string, value: Json];
  readonly missingAnswer?: string;
}

const plans: Readonly<Record<string, readonly Plan[]>> = {
  telegram: [
    {
      call: /^POST .*\/sendMessage$/,
      wrongRequest: ['disable_notification', 'sometimes'],
      missingRequest: 'chat_id',
      wrongAnswer: ['result/message_id', 'seven'],
      missingAnswer: 'result/chat',
    },
    { call: /^POST .*\/sendMediaGroup$/, wrongRequest: ['media', '[{"type":"cartoon","media":"attach://a"}]'] },
  ],
  mastodon: [
    {
      call: /^POST .*\/api\/v1\/statuses$/,
      wrongRequest: ['status', 7],
      missingRequest: 'status',
      wrongAnswer: ['reblogs_count', 'many'],
      missingAnswer: 'account/acct',
    },
  ],
  bluesky: [
    {
      call: /^POST .*\/com\.atproto\.repo\.putRecord$/,
      wrongRequest: ['record/text', 7],
      missingRequest: 'record/createdAt',
      wrongAnswer: ['uri', 'not-an-address'],
      missingAnswer: 'cid',
    },
  ],
  twitter: [
    {
      call: /^POST .*\/2\/tweets$/,
      wrongRequest: ['text', 7],
      wrongAnswer: ['data/id', 7],
      missingAnswer: 'data/text',
    },
    { call: /^GET .*\/2\/users\/me$/, wrongRequest: ['?user.fields', 'shoe_size'], wrongAnswer: ['data/name', 7] },
  ],
  youtube: [
    {
      call: /^POST .*\/upload\/youtube\/v3\/videos$/,
      wrongRequest: ['snippet/title', 7],
      missingRequest: '?part',
    },
    { call: /^GET .*\/youtube\/v3\/channels$/, wrongAnswer: ['items', 'none'], missingRequest: '?part' },
  ],
  pinterest: [{ call: /^GET .*\/v5\/user_account$/, wrongAnswer: ['username', 7] }],
  facebook: [{ call: /^GET .*\/published_posts$/, anyParameter: true, wrongRequest: ['?fields', 'id,shoe_size'] }],
  instagram: [{ call: /^GET .*\/media$/, anyParameter: true, wrongRequest: ['?fields', 'id,shoe_size'] }],
};

/** Plants each kind of mistake once in each planned call. */
export function plantedMistakes(platform: string, exchanges: readonly Exchange[]): PlantedMistake[] {
  return (plans[platform] ?? []).flatMap((plan) => {
    const found = exchanges.find(
      ({ method, host, path, answer }) =>
        plan.call.test(`${method} ${host}${path}`) && answer && answer.status < 300 && !isEmptyList(answer.body),
    );
    if (!found) throw new Error(`No recorded call of ${platform} is ${plan.call}.`);
    const name = String(plan.call);
    return mistakesIn(found, plan).map(([kind, exchange]) => ({ title: `${kind} in ${name}`, exchange }));
  });
}

function mistakesIn(exchange: Exchange, plan: Plan): [kind: string, exchange: Exchange][] {
  const { wrongRequest, missingRequest, wrongAnswer, missingAnswer } = plan;
  const mistakes: [string, Exchange][] = [
    ['a wrong path', { ...exchange, path: `${exchange.path}/s` }],
    ['a wrong method', { ...exchange, method: exchange.method === 'GET' ? 'DELETE' : 'PATCH' }],
  ];
  if (!plan.anyParameter) {
    const place = exchange.method === 'GET' ? '?unheard_of' : 'unheard_of';
    mistakes.push(['an unknown field in the request', changedRequest(exchange, place, '1')]);
  }
  if (isObject(exchange.answer?.body)) {
    mistakes.push(['an unknown field in the answer', changedAnswer(exchange, unknownIn(exchange.answer.body), '1')]);
  }
  if (wrongRequest) mistakes.push(['a wrong type in the request', changedRequest(exchange, ...wrongRequest)]);
  if (missingRequest)
    mistakes.push(['a missing field in the request', changedRequest(exchange, missingRequest, undefined)]);
  if (wrongAnswer) mistakes.push(['a wrong type in the answer', changedAnswer(exchange, ...wrongAnswer)]);
  if (missingAnswer)
    mistakes.push(['a missing field in the answer', changedAnswer(exchange, missingAnswer, undefined)]);
  return mistakes;
}

const isEmptyList = (body: Json) => isObject(body) && Array.isArray(body.data) && body.data.length === 0;

/** Meta's lists may have any field next to `data`. */
const unknownIn = ({ data }: JsonObject) => (Array.isArray(data) ? 'data/0/unheard_of' : 'unheard_of');

function changedRequest(exchange: Exchange, path: string, value: Json | undefined): Exchange {
  if (!path.startsWith('?')) {
    return {
      ...exchange,
      request: { ...exchange.request, body: changed(exchange.request.body, path.split('/'), value) },
    };
  }
  const query = new URLSearchParams(exchange.query);
  query.delete(path.slice(1));
  if (value !== undefined) query.set(path.slice(1), String(value));
  return { ...exchange, query };
}

function changedAnswer(exchange: Exchange, path: string, value: Json | undefined): Exchange {
  const { answer } = exchange;
  return answer ? { ...exchange, answer: { ...answer, body: changed(answer.body, path.split('/'), value) } } : exchange;
}

/** A copy in which the field has another value or is missing. */
function changed(body: Json, [field = '', ...rest]: string[], value: Json | undefined): Json {
  if (Array.isArray(body))
    return body.map((item, index) => (String(index) === field ? changed(item, rest, value) : item));
  if (!isObject(body)) return body;
  const { [field]: old, ...others } = body;
  if (rest.length > 0) return { ...body, [field]: changed(old ?? null, rest, value) };
  return value === undefined ? others : { ...body, [field]: value };
}
