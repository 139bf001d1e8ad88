// Searches the texts of all guides. The page itself searches the headings in the sidebar.
const article = document.querySelector('[data-search]');
const field = document.querySelector('.contents input[type=search]');
const MOST_SHOWN = 20;

let sections = null;
/** Loads the texts when somebody begins to type, once. */
const load = () => (sections ??= fetch(article.dataset.search).then((response) => response.json()));
const base = article.dataset.search.replace(/guides\/search\.json$/, '');

const list = document.createElement('section');
list.className = 'found';
list.setAttribute('aria-label', 'Found');
list.hidden = true;
article.before(list);

/** Returns the text around the first of the words, with the words marked. */
const excerpt = (text, words) => {
  const at = text.toLowerCase().indexOf(words[0]);
  const from = Math.max(0, at - 70);
  const part = `${from > 0 ? '… ' : ''}${text.slice(from, from + 200)}${text.length > from + 200 ? ' …' : ''}`;
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'gi');
  return part.split(pattern).map((piece, index) => {
    if (index % 2 === 0) return piece;
    const mark = document.createElement('mark');
    mark.textContent = piece;
    return mark;
  });
};

const entry = ({ guide, title, address, text }, words) => {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = base + address;
  link.append(title);
  const where = document.createElement('small');
  where.textContent = guide;
  const shown = document.createElement('p');
  shown.append(...excerpt(text, words));
  item.append(link, where, shown);
  return item;
};

const search = async () => {
  // Forms of a word differ at its end: "verify" also finds "verifies".
  const words = field.value
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word.length > 1)
    .map((word) => word.slice(0, Math.max(4, word.length - 2)));
  list.hidden = words.length === 0;
  article.hidden = words.length > 0;
  if (words.length === 0) return;
  const all = await load();
  const titled = ({ guide, title }) => words.every((word) => `${guide} ${title}`.toLowerCase().includes(word));
  const matches = ({ guide, title, text }) => words.every((word) => `${guide} ${title} ${text}`.toLowerCase().includes(word));
  const found = [...all.filter(titled), ...all.filter((section) => !titled(section) && matches(section))];
  const heading = document.createElement('h2');
  heading.textContent = found.length === 0 ? `No guide has “${field.value.trim()}”` : `${found.length} found`;
  const items = document.createElement('ul');
  items.append(...found.slice(0, MOST_SHOWN).map((section) => entry(section, words)));
  list.replaceChildren(heading, items);
};
field.addEventListener('input', search);
field.addEventListener('focus', load);
// A link to a section of this guide must show the guide again.
list.addEventListener('click', ({ target }) => {
  if (!target.closest('a')) return;
  field.value = '';
  field.dispatchEvent(new Event('input'));
});
