const field = document.querySelector('#search');
const nothing = document.querySelector('#nothing');
let entries = null;

/** Lets the reader find operations and schemas by words of their names, addresses, texts or fields. */
export function startSearch() {
  field.addEventListener('input', () => show(field.value));
  field.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') clear();
    if (key !== 'Enter') return;
    const first = (entries ?? []).find(({ item }) => !item.hidden);
    if (first) location.hash = first.id;
  });
  addEventListener('keydown', (event) => {
    const isShortcut = event.key === '/' || (event.key === 'k' && (event.ctrlKey || event.metaKey));
    if (!isShortcut || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')) return;
    event.preventDefault();
    document.body.classList.add('with-menu');
    field.focus();
  });
}

/** Shows everything again, so that a link leads to where it says. */
export function clear() {
  field.value = '';
  show('');
}

function show(query) {
  entries ??= readEntries();
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const inTitles = entries.filter(({ title }) => words.every((word) => title.includes(word)));
  const found = new Set(
    inTitles.length > 0 ? inTitles : entries.filter(({ text }) => words.every((word) => text.includes(word))),
  );
  for (const entry of entries) entry.item.hidden = entry.article.hidden = !found.has(entry);
  for (const group of document.querySelectorAll('#menu details')) {
    const isEmpty = !group.querySelector('li:not([hidden])');
    group.hidden = isEmpty;
    group.open = words.length > 0 ? !isEmpty : group === document.querySelector('#menu details');
  }
  for (const section of document.querySelectorAll('main > section')) {
    section.hidden = words.length > 0 && !section.querySelector('article:not([hidden])');
  }
  nothing.hidden = found.size > 0;
}

/** Texts are read at the first search: most readers never need them. */
function readEntries() {
  return [...document.querySelectorAll('#menu li')].map((item) => {
    const id = item.querySelector('a').hash.slice(1);
    const article = document.getElementById(id);
    const [title, text] = [`${id} ${titleOf(article)}`, article.textContent].map((each) => each.toLowerCase());
    return { id, item, article, title, text };
  });
}

const titleOf = (article) => [...article.querySelectorAll('h3, .path')].map((each) => each.textContent).join(' ');
