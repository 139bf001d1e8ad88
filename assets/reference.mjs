import { samplesComponent } from './samples.mjs';

/** The secret of a one-time link, or null. It leaves the address at once, so that neither a reload nor the history of the browser has it. */
const takeLink = () => {
  const [, found = null] = /^#link=(.+)$/.exec(location.hash) ?? [];
  if (found !== null) history.replaceState(null, '', location.pathname + location.search);
  return found;
};
const secret = takeLink();

/** Exchanges the secret of the link. Returns the token, or the reason why there is none. */
const exchangeLink = async (url) => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret }),
    });
    const { token, detail } = await response.json();
    return { token, reason: detail };
  } catch {
    return { reason: 'The service does not answer.' };
  }
};

/** Says above the operations that a link gave no token. */
const showRefusedLink = (reference, reason) => {
  const notice = document.createElement('p');
  notice.setAttribute('role', 'alert');
  notice.textContent = `The link does not sign in. ${reason}`;
  reference.before(notice);
};

const dark = matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyTheme);
applyTheme();

/** Headers that most operations read. They come last, in a panel of their own. */
const isHeader = (parameter) => parameter.get('in') === 'header';

/** The name under which Swagger UI stores who sends the requests. */
const STORED = 'authorized';

/**
 * Stores who sends the requests, as Swagger UI does, without the token of a link: it has all scopes, and nobody typed it. With a link,
 * a token that was stored before stays stored.
 */
const storeWithoutLink =
  (tokenOfLink) =>
  (original, { authSelectors }) =>
  () => {
    const { Token, ...others } = authSelectors.authorized().toJS();
    if (Token === undefined || Token.value !== tokenOfLink()) return original();
    const { Token: earlier } = JSON.parse(localStorage.getItem(STORED) ?? '{}');
    localStorage.setItem(STORED, JSON.stringify({ ...(earlier && { Token: earlier }), ...others }));
  };

/** The parts of Swagger UI that differ on this page. */
const plugin = (spec, tokenOfLink) => (system) => {
  const { createElement: h, Fragment } = system.React;
  const Samples = samplesComponent(system.React, spec);
  return {
    statePlugins: { auth: { wrapActions: { persistAuthorizationIfNeeded: storeWithoutLink(tokenOfLink) } } },
    components: {
      // Replaces the default link, which is inside a button and so cannot be reached with the keyboard.
      DeepLink: ({ text }) => h('span', null, text),
      authorizationPopup: ({ authActions, authSelectors, errSelectors, getComponent, specSelectors, fn }) => {
        const close = () => authActions.showDefinitions(false);
        const Auths = getComponent('auths');
        const props = { AST: fn.AST ?? {}, authSelectors, authActions, errSelectors, specSelectors, getComponent };
        return h(
          'div',
          { className: 'dialog-ux' },
          h('div', { className: 'backdrop-ux', onClick: close }),
          h(
            'div',
            {
              className: 'modal-ux',
              role: 'dialog',
              'aria-modal': true,
              'aria-label': 'Authorization',
              onKeyDown: ({ key }) => key === 'Escape' && close(),
            },
            h(
              'div',
              { className: 'modal-ux-inner' },
              h(
                'div',
                { className: 'modal-ux-header' },
                h('h3', null, 'Who sends the requests?'),
                h('button', { type: 'button', className: 'close-modal', 'aria-label': 'Close', onClick: close }, '×'),
              ),
              h(
                'div',
                { className: 'modal-ux-content' },
                authSelectors
                  .shownDefinitions()
                  .valueSeq()
                  .map((definitions, key) => h(Auths, { key, definitions, ...props }))
                  .toArray(),
              ),
            ),
          ),
        );
      },
      ReferenceLayout: ({ getComponent, specSelectors }) => {
        const part = (name, props) => h(getComponent(name, true), props);
        return h(
          'div',
          { className: 'swagger-ui' },
          h(getComponent('SvgAssets')),
          part('Markdown', { source: specSelectors.info().get('description') }),
          h('h2', { className: 'visually-hidden' }, 'Operations'),
          h('div', { className: 'toolbar' }, part('AuthorizeBtnContainer')),
          part('operations'),
          part('Webhooks'),
          h('h2', { className: 'visually-hidden' }, 'Schemas'),
          h('h3', { className: 'visually-hidden' }, 'All schemas'),
          part('Models'),
        );
      },
    },
    wrapComponents: {
      parameters: (Parameters) => (props) => {
        const headers = props.parameters.filter(isHeader);
        const others = props.parameters.filterNot(isHeader);
        const names = headers.map((header) => header.get('name')).join(', ');
        return h(
          Fragment,
          null,
          h(Parameters, { ...props, parameters: others }),
          headers.size > 0 &&
            h(
              'details',
              { className: 'headers-panel' },
              h('summary', null, 'Headers', h('span', null, names)),
              h(Parameters, { ...props, parameters: headers, operation: props.operation.delete('requestBody') }),
            ),
        );
      },
      responses: (Responses) => (props) => h(Fragment, null, h(Samples, { path: props.path, method: props.method }), h(Responses, props)),
    },
  };
};

// Attributes for screen readers and the keyboard.
// Swagger UI omits them or sets a wrong value. With null, the attribute is removed. A function computes the value.
const ATTRIBUTES = [
  ['.microlight', 'tabindex', '0'],
  ['.examples-select-element', 'aria-label', 'Example'],
  ['.parameters-col_description select', 'aria-label', (select) => select.closest('tr').dataset.paramName],
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

/** Opens the operation of the address, and scrolls to it. Swagger UI itself reads the address only when the page loads. */
const showOperation = (ui) => {
  const [, tag, id] = decodeURIComponent(location.hash).split('/');
  if (!tag || !id) return;
  const { layoutActions } = ui.getSystem();
  layoutActions.show(['operations-tag', tag], true);
  layoutActions.show(['operations', tag, id], true);
  requestAnimationFrame(() => document.getElementById(`operations-${tag}-${id}`)?.scrollIntoView());
};

addEventListener('load', async () => {
  const reference = document.getElementById('reference');
  const { document: address, client, return: returnPath } = reference.dataset;
  const spec = await (await fetch(address)).json();
  // At another address than the public one, the browser would return to another page.
  const { 'Sign-in': oauth2 } = spec.components.securitySchemes;
  const signInUrl = oauth2?.flows.authorizationCode.authorizationUrl;
  const canSignIn = oauth2 && new URL(signInUrl).origin === location.origin;
  if (!canSignIn) delete spec.components.securitySchemes['Sign-in'];
  let tokenOfLink = null;
  new MutationObserver(correctAttributes).observe(reference, {
    childList: true,
    subtree: true,
    attributeFilter: ['aria-label'],
  });
  const positionOf = (operation) => operation.getIn(['operation', 'x-position']);
  const ui = window.SwaggerUIBundle({
    spec,
    dom_id: '#reference',
    layout: 'ReferenceLayout',
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    persistAuthorization: true,
    operationsSorter: (one, other) => positionOf(one) - positionOf(other),
    // The validator badge would call another host.
    validatorUrl: null,
    oauth2RedirectUrl: canSignIn ? signInUrl.replace('/oauth/authorize', returnPath) : undefined,
    // The default theme has too little contrast.
    syntaxHighlight: { theme: 'tomorrow-night' },
    supportedSubmitMethods: ['get', 'put', 'post', 'delete', 'query'],
    plugins: [plugin(spec, () => tokenOfLink)],
  });
  ui.initOAuth({ clientId: client, usePkceWithAuthorizationCodeGrant: true });
  if (secret !== null) {
    const { token, reason } = await exchangeLink(new URL('../ops/link', new URL(address, location)));
    if (token === undefined) showRefusedLink(reference, reason);
    else {
      tokenOfLink = token;
      ui.preauthorizeApiKey('Token', token);
    }
  }
  addEventListener('hashchange', () => showOperation(ui));
  for (const link of document.querySelectorAll('.menu a'))
    link.addEventListener('click', () => link.href === location.href && showOperation(ui));
});
