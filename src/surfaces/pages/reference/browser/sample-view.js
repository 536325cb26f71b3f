const storedLanguage = 'crier.reference.language';
let samples = new Map();
let onTry = () => {};

/** Draws code beside the operations that come into view, and again when the reader's key changes. */
export function showSamples(description, tryIt) {
  const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));
  samples = new Map(operations.map((each) => [each.operationId, each['x-codeSamples'] ?? []]));
  onTry = tryIt;
  for (const place of document.querySelectorAll('.sample')) {
    if (place.firstChild) draw(place);
    else nearby.observe(place);
  }
}

const nearby = new IntersectionObserver(
  (seen) => {
    for (const { isIntersecting, target } of seen) {
      if (!isIntersecting) continue;
      nearby.unobserve(target);
      draw(target);
    }
  },
  { rootMargin: '800px' },
);

function draw(place) {
  const all = samples.get(place.dataset.operation) ?? [];
  const wanted = localStorage.getItem(storedLanguage);
  const chosen = all.find(({ label }) => label === wanted) ?? all[0];
  if (!chosen) return;
  const code = element('pre', { textContent: chosen.source, tabIndex: 0 });
  const language = element('select', { ariaLabel: 'Language' });
  language.append(
    ...all.map(({ label }) => element('option', { textContent: label, selected: label === chosen.label })),
  );
  language.addEventListener('change', () => {
    localStorage.setItem(storedLanguage, language.value);
    for (const drawn of document.querySelectorAll('.sample')) if (drawn.firstChild) draw(drawn);
    place.querySelector('select').focus();
  });
  const copy = button('Copy', async () => {
    await navigator.clipboard.writeText(chosen.source);
    copy.textContent = 'Copied';
  });
  const bar = element('div', { className: 'bar' });
  bar.append(
    language,
    copy,
    button('Try it', () => onTry(place.dataset.operation)),
  );
  place.replaceChildren(bar, code);
}

const element = (name, properties) => Object.assign(document.createElement(name), properties);

function button(label, act) {
  const made = element('button', { type: 'button', textContent: label });
  made.addEventListener('click', act);
  return made;
}
