// Starts Scalar. Asks before a request that changes something, and fills in a key of the signed-in reader on request.
const page = document.getElementById('reference');
const configuration = JSON.parse(page.dataset.configuration);
const isSandbox = page.dataset.mode === 'sandbox';
const api = '/api/v1';
const publishing =
  /^\/(create-post|update-post|import|reschedule-posts|retry-post|linkedin-(comments|reactions|reshare))\b/;

/** The operations of this page's document, once they are known. */
let paths = null;
/** The channels of the signed-in reader, once there is a key for them. */
let channels = [];

async function readDocument(request) {
  const described = await (await fetch(request)).json();
  paths = described.paths;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  // Scalar would send the only value of an optional parameter in every request.
  for (const { schema, required } of operations.flatMap(({ parameters = [] }) => parameters))
    if (!required && schema?.enum?.length === 1) delete schema.enum;
  for (const { requestBody } of operations) {
    const example = requestBody?.content?.['application/json']?.example;
    for (const post of [example, ...(example?.posts ?? [])]) useOwnChannels(post);
  }
  return Response.json(described);
}

/** The channels of an example belong to someone else, so the request would be refused. */
function useOwnChannels(post) {
  if (!Array.isArray(post?.platforms) || channels.length === 0) return;
  const alike = channels.filter(({ platform }) => post.platforms.some((id) => id.startsWith(`${platform}-`)));
  const chosen = alike.length > 0 ? alike : channels.slice(0, 1);
  post.platforms = chosen.slice(0, post.platforms.length).map(({ platformId }) => platformId);
}

/** Null: an address that this document does not describe. */
async function operationOf({ method, url }) {
  paths ??= (await (await fetch(configuration.url)).json()).paths;
  const path = new URL(url).pathname.slice(api.length);
  for (const [template, operations] of Object.entries(paths)) {
    const pattern = new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);
    if (pattern.test(path) && operations[method.toLowerCase()])
      return { template, ...operations[method.toLowerCase()] };
  }
  return null;
}

/** A key with the scope "read" can call these, whatever their method is. */
const onlyReads = ({ security = [] }) => security.some(({ apiKey }) => apiKey?.includes('read'));

function warningOf(operation) {
  if (operation && publishing.test(operation.template)) {
    return isSandbox
      ? 'This posts to the simulated networks, not to real accounts.'
      : 'This creates a real post on the networks of your channels. Other people can see it.';
  }
  return isSandbox ? 'This changes data of your sandbox account.' : 'This changes data of your real account.';
}

async function send(input, init) {
  const request = new Request(input, init);
  if (new URL(request.url).pathname === configuration.url) return readDocument(request);
  const isOurs = new URL(request.url).pathname.startsWith(`${api}/`);
  if (isOurs && !['GET', 'HEAD', 'OPTIONS'].includes(request.method)) {
    const operation = await operationOf(request);
    if (!operation || !onlyReads(operation)) {
      const isConfirmed = await ask(
        operation?.summary ?? `${request.method} ${new URL(request.url).pathname}`,
        warningOf(operation),
        'Send request',
      );
      if (!isConfirmed) throw new DOMException('You cancelled the request. Nothing was sent.', 'AbortError');
    }
  }
  return fetch(request);
}

const dialog = document.querySelector('dialog');

/** Whether the reader agrees. Escape and "Cancel" mean no. */
function ask(title, text, action) {
  dialog.querySelector('h2').textContent = title;
  dialog.querySelector('p').textContent = text;
  dialog.querySelector('[value=yes]').textContent = action;
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) =>
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true }),
  );
}

const reference = Scalar.createApiReference(page, { ...configuration, customFetch: send });

// The key exists only in this tab. It expires after an hour, so that forgotten ones do no harm.
const keyName = isSandbox ? 'API reference (sandbox)' : 'API reference';
const scopes = isSandbox ? ['read', 'write', 'media'] : ['read'];
const keyMs = 3_600_000;
const status = document.querySelector('[role=status]');

async function call(method, path, body) {
  const response = await fetch(`${api}${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.error), { status: response.status });
  return answer;
}

async function fillInKey() {
  const { apiKeys } = await call('GET', '/auth/api-keys');
  const earlier = apiKeys.filter(({ name }) => name === keyName);
  const what = isSandbox ? 'reads, posts to the simulated networks and uploads files' : 'only reads';
  const replaces = earlier.length > 0 ? ' The key that you created here before stops working.' : '';
  const text = `Crier creates the API key “${keyName}” for your account. It ${what}, and expires in one hour.${replaces} You get an email about it, and can revoke it under Keys in the dashboard.`;
  if (!(await ask('Use a key of your account?', text, 'Create key'))) return;
  for (const { _id } of earlier) await call('DELETE', `/auth/api-keys/${_id}`);
  const expiresAt = new Date(Date.now() + keyMs).toISOString();
  const { apiKey } = await call('POST', '/auth/api-keys', { name: keyName, scopes, expiresAt });
  const securitySchemes = { apiKey: { value: apiKey.rawKey } };
  const authentication = { ...configuration.authentication, securitySchemes };
  channels = (await call('GET', '/platform-connections')).connections;
  // Scalar reads the document again only from another address.
  const url = `${configuration.url}?key=${apiKey._id}`;
  reference.updateConfiguration({ ...configuration, url, customFetch: send, authentication });
  status.textContent = 'Key filled in. It expires in one hour.';
}

document.querySelector('[data-use-key]')?.addEventListener('click', async ({ currentTarget: button }) => {
  button.disabled = true;
  status.textContent = '';
  await fillInKey().catch(({ status: code, message }) => {
    status.textContent = code === 401 ? 'Sign in to the dashboard first, then try again.' : message;
  });
  button.disabled = false;
});
