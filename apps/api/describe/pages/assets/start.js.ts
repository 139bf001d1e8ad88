import { DOCS_CLIENT_ID, DOCS_RETURN_PATH } from '../../../oauth/provider/docs-client.js';

/**
 * The script that starts Swagger UI. `validatorUrl` is null, because the validator badge would call another
 * host. The layout has no title, because the page has one. The filter searches tags, methods, paths, ids and
 * summaries, while the default filter of Swagger UI searches only tags.
 */
export const START_JS = `'use strict';
const dark = matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyTheme);
applyTheme();

const textOf = (tag, operation) =>
  [tag, operation.get('method'), operation.get('path'), operation.getIn(['operation', 'operationId']), operation.getIn(['operation', 'summary'])]
    .join(' ')
    .toLowerCase();

const opsFilter = (taggedOperations, phrase) => {
  const words = phrase.toLowerCase().split(/\\s+/);
  const matches = (tag) => (operation) => words.every((word) => textOf(tag, operation).includes(word));
  return taggedOperations
    .map((group, tag) => group.update('operations', (operations) => operations.filter(matches(tag))))
    .filter((group) => group.get('operations').size > 0);
};

const components = ({ createElement: h }) => ({
  FilterContainer: ({ layoutActions, layoutSelectors }) => {
    const filter = layoutSelectors.currentFilter();
    return h('input', {
      className: 'operation-filter-input',
      type: 'search',
      placeholder: 'Filter operations',
      'aria-label': 'Filter operations',
      value: typeof filter === 'string' ? filter : '',
      onChange: ({ target }) => layoutActions.updateFilter(target.value),
    });
  },
  // Replaces the default link, which is inside a button and so cannot be reached with the keyboard.
  DeepLink: ({ text }) => h('span', null, text),
  ReferenceLayout: ({ getComponent, specSelectors }) => {
    const part = (name, props) => h(getComponent(name, true), props);
    return h(
      'div',
      { className: 'swagger-ui' },
      h(getComponent('SvgAssets')),
      part('Markdown', { source: specSelectors.info().get('description') }),
      h('h2', { className: 'visually-hidden' }, 'Operations'),
      h('div', { className: 'toolbar' }, part('FilterContainer'), part('AuthorizeBtnContainer')),
      part('operations'),
      part('Webhooks'),
      h('h2', { className: 'visually-hidden' }, 'Schemas'),
      h('h3', { className: 'visually-hidden' }, 'All schemas'),
      part('Models'),
    );
  },
});

// Attributes for screen readers and the keyboard.
// Swagger UI omits them or sets a wrong value. With null, the attribute is removed. A function computes the value.
const ATTRIBUTES = [
  ['.microlight', 'tabindex', '0'],
  ['.examples-select-element', 'aria-label', 'Example'],
  ['.parameters-col_description select', 'aria-label', (select) => select.closest('tr').dataset.paramName],
  ['.close-modal', 'aria-label', 'Close'],
  ['.modal-ux', 'role', 'dialog'],
  ['.modal-ux', 'aria-label', 'Authorization'],
  ['.auth-btn-wrapper .btn', 'aria-label', null],
  ['.auth-container h6', 'role', 'presentation'],
];
const correctAttributes = () => {
  for (const [selector, name, value] of ATTRIBUTES)
    for (const element of document.querySelectorAll(selector)) {
      const wanted = typeof value === 'function' ? value(element) : value;
      if (element.getAttribute(name) === wanted) continue;
      if (wanted === null) element.removeAttribute(name);
      else element.setAttribute(name, wanted);
    }
};

addEventListener('load', async () => {
  const reference = document.getElementById('reference');
  const spec = await (await fetch(reference.dataset.document)).json();
  // At another address than the public one, the browser would return to another page.
  const { 'Sign-in': oauth2 } = spec.components.securitySchemes;
  const signInUrl = oauth2?.flows.authorizationCode.authorizationUrl;
  const canSignIn = oauth2 && new URL(signInUrl).origin === location.origin;
  if (!canSignIn) delete spec.components.securitySchemes['Sign-in'];
  new MutationObserver(correctAttributes).observe(reference, {
    childList: true,
    subtree: true,
    attributeFilter: ['aria-label'],
  });
  const ui = window.SwaggerUIBundle({
    spec,
    dom_id: '#reference',
    layout: 'ReferenceLayout',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    persistAuthorization: true,
    validatorUrl: null,
    oauth2RedirectUrl: canSignIn ? signInUrl.replace('/oauth/authorize', '${DOCS_RETURN_PATH}') : undefined,
    // The default theme has too little contrast.
    syntaxHighlight: { theme: 'tomorrow-night' },
    supportedSubmitMethods: ['get', 'put', 'post', 'delete', 'query'],
    plugins: [({ React }) => ({ fn: { opsFilter }, components: components(React) })],
  });
  ui.initOAuth({ clientId: '${DOCS_CLIENT_ID}', usePkceWithAuthorizationCodeGrant: true });
});
`;
