'use strict';

// Opens the panel that the address names, and scrolls to it.
const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const panel = target?.closest('details');
  if (!panel) return;
  panel.open = true;
  target.scrollIntoView();
};
addEventListener('hashchange', openTarget);
// A second click on the same link does not change the hash, so no hashchange event occurs.
document.addEventListener('click', ({ target }) => {
  const link = target.closest?.('a[href^="#"]');
  if (link && link.hash === location.hash) openTarget();
});
openTarget();

// Browsers allow the clipboard only with https and on localhost.
if (navigator.clipboard)
  for (const block of document.querySelectorAll('.copyable')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    block.append(button);
  }
// The reference draws blocks with a button later.
document.addEventListener('click', async ({ target }) => {
  const button = target.closest?.('.copyable > button');
  if (!button) return;
  await navigator.clipboard.writeText(button.parentElement.querySelector('code').textContent);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), 2000);
});

const sidebar = (menu) => {
  const wide = matchMedia('(min-width: 60rem)');
  const fit = () => (menu.open = wide.matches);
  wide.addEventListener('change', fit);
  fit();

  const field = menu.querySelector('input[type=search]');
  const status = menu.querySelector('[role=status]');
  const opened = new Set(menu.querySelectorAll('details[open]'));
  const groups = [...menu.querySelectorAll(':scope > ul > li')];
  const textOf = (link) => `${link.textContent} ${link.dataset.words ?? ''}`.toLowerCase();
  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const group of groups) {
      const name = group.querySelector('summary')?.textContent.toLowerCase() ?? '';
      let shown = 0;
      // An entry is shown if it or something below it is found, so the innermost entries come first.
      for (const link of [...group.querySelectorAll('a')].reverse()) {
        const text = `${name} ${textOf(link)}`;
        const item = link.parentElement;
        const matches = words.every((word) => text.includes(word)) || item.querySelector('li:not([hidden])') !== null;
        if (item !== group) item.hidden = !matches;
        if (matches) shown++;
      }
      group.hidden = shown === 0;
      const panel = group.querySelector('details');
      if (panel) panel.open = words.length > 0 ? shown > 0 : opened.has(panel) || panel.querySelector('[aria-current]') !== null;
      found += shown;
    }
    // A page with a search of its own says itself what it finds.
    status.textContent = found === 0 && !document.querySelector('[data-search]') ? `Nothing is found for “${field.value.trim()}”.` : '';
  };
  field.addEventListener('input', search);
  field.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') menu.querySelector('li:not([hidden]) > a:not([hidden])')?.click();
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.matches('input, textarea, select, [contenteditable]')) return;
    event.preventDefault();
    menu.open = true;
    field.focus();
  });

  // Marks the entry of the address, and opens its group. On a narrow page, the menu closes after a choice.
  const mark = () => {
    const links = [...menu.querySelectorAll('a')];
    const current =
      links.find((link) => link.hash !== '' && link.href === location.href) ?? links.find((link) => link.href === location.href);
    for (const link of links) link.removeAttribute('aria-current');
    current?.setAttribute('aria-current', 'page');
    const panel = current?.closest('li > details');
    if (panel) panel.open = true;
    if (wide.matches) current?.scrollIntoView({ block: 'nearest' });
  };
  addEventListener('hashchange', mark);
  menu.addEventListener('click', ({ target }) => {
    if (target.closest('a') && !wide.matches) menu.open = false;
  });
  mark();
};
const menu = document.querySelector('.menu');
if (menu) sidebar(menu);
