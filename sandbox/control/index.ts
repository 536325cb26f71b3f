import type { IncomingMessage } from 'node:http';
import { type HttpResponse, json } from '../http/http-response.ts';
import type { JsonObject } from '../http/json.ts';
import { readBody } from '../http/request-body.ts';
import type { Sandbox } from '../platform.ts';
import { changeAccount, createAccount, listAccounts } from './accounts.ts';
import { InvalidInput } from './check.ts';
import { addFault, clearFaults, listFaults } from './faults.ts';
import { listMail, receiveMail } from './mail.ts';
import { health, listPosts, listRequests, reset } from './state.ts';
import { listSwitches, setSwitch } from './switches.ts';

type Action = (sandbox: Sandbox, input: JsonObject) => HttpResponse;

/** The input is the JSON body, or the query when the method has no body. */
const actions: Record<string, Action> = {
  'GET /_control/health': health,
  'GET /_control/accounts': listAccounts,
  'POST /_control/accounts': createAccount,
  'PATCH /_control/accounts': changeAccount,
  'GET /_control/posts': listPosts,
  'GET /_control/requests': listRequests,
  'GET /_control/faults': listFaults,
  'POST /_control/faults': addFault,
  'DELETE /_control/faults': clearFaults,
  'GET /_control/switches': listSwitches,
  'POST /_control/switches': setSwitch,
  'GET /_control/mail': listMail,
  'POST /_control/mail': receiveMail,
  'POST /_control/reset': reset,
};

export function createControl(sandbox: Sandbox) {
  return async (request: IncomingMessage): Promise<HttpResponse> => {
    const [path = '', search = ''] = (request.url ?? '').split('?', 2);
    const name = `${request.method} ${path}`;
    const action = actions[name];
    const body = await readBody(request, 1_000_000);
    if (!action) return json({ error: `${name} does not exist. Available: ${Object.keys(actions).join(', ')}.` }, 404);
    if (typeof body === 'string')
      return json({ error: 'The body must be a JSON object, sent as application/json.' }, 400);
    if (body.bytes.length > 0 && !request.headers['content-type']?.includes('json')) {
      return json({ error: 'The body must be sent with content-type: application/json.' }, 400);
    }
    try {
      return action(sandbox, { ...Object.fromEntries(new URLSearchParams(search)), ...body.fields });
    } catch (error) {
      if (error instanceof InvalidInput) return json({ error: error.message }, 400);
      throw error;
    }
  };
}
