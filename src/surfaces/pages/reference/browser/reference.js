import { withOwnExamples } from './own-examples.js';
import { showSamples } from './sample-view.js';
import { openScalar } from './scalar.js';
import { clear, startSearch } from './search.js';

const storedKey = 'crier.reference.key';
const storedTheme = 'crier.reference.theme';
const form = document.querySelector('#key-form');
const field = document.querySelector('#key');
const result = document.querySelector('#key-result');
const pages = document.querySelector('#pages');
const trial = document.querySelector('#trial');
const opening = document.querySelector('#opening');
const described = fetch(document.querySelector('#start').dataset.document).then((response) => response.json());
let shown = null;
let tried = '';

startTheme();
startSearch();
followAddresses();
document.querySelector('#menu-button').addEventListener('click', () => document.body.classList.toggle('with-menu'));
document.querySelector('#back').addEventListener('click', () => {
  location.hash = tried;
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  // Only in this tab, and only until it is closed.
  if (field.value.trim()) sessionStorage.setItem(storedKey, field.value.trim());
  else sessionStorage.removeItem(storedKey);
  show();
});
show();

/** The code of all examples, with what the reader has. */
async function show() {
  const key = sessionStorage.getItem(storedKey) ?? '';
  const [description, own] = await Promise.all([described, readOwn(key)]);
  shown = { description: withOwnExamples(description, location.origin, own), key };
  showSamples(shown.description, tryIt);
  performance.mark('ready');
}

async function tryIt(operation) {
  tried = operation;
  pages.hidden = true;
  trial.hidden = false;
  opening.textContent = 'Opening …';
  const isDark = document.documentElement.classList.contains('dark-mode');
  const problem = await openScalar({ ...shown, operation, isDark }).catch((error) => error.message);
  opening.textContent = problem ? `${problem} Reload the page to try again.` : '';
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

/** As the system has it, until the reader chooses. */
function startTheme() {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const stored = localStorage.getItem(storedTheme);
    const isDark = stored ? stored === 'dark' : system.matches;
    document.documentElement.classList.toggle('dark-mode', isDark);
    document.documentElement.classList.toggle('light-mode', !isDark);
  };
  apply();
  system.addEventListener('change', apply);
  document.querySelector('#theme').addEventListener('click', () => {
    const isDark = document.documentElement.classList.contains('dark-mode');
    localStorage.setItem(storedTheme, isDark ? 'light' : 'dark');
    apply();
  });
}

/** Links lead to what a search may have hidden, and back from a trial. */
function followAddresses() {
  const follow = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    pages.hidden = false;
    trial.hidden = true;
    document.body.classList.remove('with-menu');
    if (target.hidden || target.closest('[hidden]')) clear();
    for (const here of document.querySelectorAll('#menu [aria-current]')) here.removeAttribute('aria-current');
    const link = [...document.querySelectorAll('#menu a')].find(({ hash }) => hash === location.hash);
    link?.setAttribute('aria-current', 'true');
    const group = link?.closest('details');
    if (group) group.open = true;
    target.scrollIntoView();
  };
  addEventListener('hashchange', follow);
  addEventListener('popstate', follow);
  if (location.hash) follow();
}
