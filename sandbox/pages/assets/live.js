// Reloads the page every second and inserts what is new. It pauses while a video plays or text is selected.
const everyMs = 1000;
let tag = null;

async function refresh() {
  const busy =
    document.hidden ||
    String(getSelection()) !== '' ||
    [...document.querySelectorAll('video, audio')].some((player) => !player.paused);
  if (!busy) {
    const response = await fetch(location.href, { headers: tag ? { 'if-none-match': tag } : {}, cache: 'no-store' });
    if (response.ok && response.headers.get('etag') !== tag) {
      const isFirst = tag === null;
      tag = response.headers.get('etag');
      if (!isFirst) show(new DOMParser().parseFromString(await response.text(), 'text/html'));
    }
  }
}

function show(page) {
  const focused = document.activeElement?.getAttribute('href');
  document.querySelector('main').replaceChildren(...page.querySelector('main').childNodes);
  if (focused) document.querySelector(`main a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

setInterval(() => refresh().catch(() => {}), everyMs);
