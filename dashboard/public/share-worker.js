// Receives what a phone shares with the installed app, and hands it to the composer. It is registered for /share only:
// no other request passes through it, and it stores nothing. What was shared stays in memory until the composer asks.

const maxFiles = 20;
const maxCharacters = 20_000;
const maxAgeMs = 5 * 60_000;

let shared = null;

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method === 'POST' && new URL(url).pathname === '/share') event.respondWith(receive(event.request));
});

async function receive(request) {
  const form = await request.formData();
  const text = (name) => String(form.get(name) ?? '').slice(0, maxCharacters);
  const files = form.getAll('files').filter((file) => file instanceof File && file.size > 0);
  shared = {
    title: text('title'),
    text: text('text'),
    url: text('url'),
    files: files.slice(0, maxFiles),
    at: Date.now(),
  };
  return Response.redirect('/compose?shared=1', 303);
}

// Only pages of this origin can send messages to it. Each share is handed over once.
self.addEventListener('message', ({ ports: [port] }) => {
  const isFresh = shared !== null && Date.now() - shared.at < maxAgeMs;
  port?.postMessage(isFresh ? shared : null);
  shared = null;
});
