import { withOwnExamples } from './own-examples.js';

const storedKey = 'crier.reference.key';
const form = document.querySelector('#key-form');
const field = document.querySelector('#key');
const result = document.querySelector('#key-result');
const described = fetch('/api/v1/openapi.json').then((response) => response.json());
let reference = null;

const scalarLoaded = afterFirstPaint().then(loadScalar);

useOldAddress();
form.addEventListener('submit', (event) => {
  event.preventDefault();
  // Only in this tab, and only until it is closed.
  if (field.value.trim()) sessionStorage.setItem(storedKey, field.value.trim());
  else sessionStorage.removeItem(storedKey);
  show();
});
show();

async function show() {
  const key = sessionStorage.getItem(storedKey) ?? '';
  const [description, own] = await Promise.all([described, readOwn(key), scalarLoaded]);
  const configuration = configurationOf(withOwnExamples(description, location.origin, own), key);
  if (reference) reference.updateConfiguration(configuration);
  else reference = Scalar.createApiReference('#reference', configuration);
  document.querySelector('#opening')?.remove();
}

/** Scalar keeps the browser busy for a while, so what stands in the page is drawn before it begins. */
function afterFirstPaint() {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function loadScalar() {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = document.querySelector('#start').dataset.scalar;
    script.addEventListener('load', resolve);
    script.addEventListener('error', reject);
    document.head.append(script);
  });
}

/** The reader's connections and newest post, so that the examples work as they stand. */
async function readOwn(key) {
  const own = { key, connections: [], postGroupId: null, now: new Date() };
  result.textContent = '';
  if (!key) return own;
  const [connections, posts] = await Promise.all([call('platform-connections', key), call('list-posts?limit=1', key)]);
  result.textContent = connections.error ?? 'Used in all examples of this tab.';
  return {
    ...own,
    connections: (connections.connections ?? []).map(({ platformId }) => platformId),
    postGroupId: posts.posts?.[0]?.postGroupId ?? null,
  };
}

const call = (path, key) =>
  fetch(`/api/v1/${path}`, { headers: { 'x-service-key': key } })
    .then((response) => response.json())
    .catch(() => ({ error: 'Crier did not answer. Try again.' }));

const configurationOf = (content, key) => ({
  content,
  layout: 'modern',
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  hideModels: true,
  // The examples of the document take their place.
  hiddenClients: true,
  documentDownloadType: 'json',
  authentication: {
    preferredSecurityScheme: 'apiKey',
    securitySchemes: { apiKey: { value: key } },
  },
});

/** Links such as `/docs#/Posts` are in mails and on pages, from the time of another reference. */
function useOldAddress() {
  const [, tag] = /^#\/([^/]+)/.exec(location.hash) ?? [];
  if (tag) history.replaceState(null, '', `#tag/${decodeURIComponent(tag).toLowerCase().replaceAll(' ', '-')}`);
}
