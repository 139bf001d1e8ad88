/** The script of the pages. Opens the panel that a link leads to, and adds the Copy buttons. */
export const PAGE_JS = `'use strict';
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

const copyButton = (block) => {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  return button;
};
// Browsers allow the clipboard only with https and on localhost.
if (navigator.clipboard) for (const block of document.querySelectorAll('.copyable')) block.append(copyButton(block));
`;
