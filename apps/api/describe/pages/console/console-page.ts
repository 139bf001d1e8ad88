import { CONSOLE_RETURN_PATH } from '../../../oauth/provider/page-clients.js';
import { escapeHtml, pageHtml } from '../page.js';

type Shell = {
  /** Whether the files of the console were built. Otherwise, the page says how to build them. */
  readonly isBuilt: boolean;
};

const NOT_BUILT = `<main class="page"><h1>Console</h1>
<p class="lead">The files of the console are missing.</p>
<p>Run <code>npm run build</code> in the folder of the service, and load this page again.</p></main>`;

const shellHtml = (title: string, body: string, { isBuilt }: Shell): string =>
  pageHtml({
    title,
    section: '/ops',
    body: isBuilt ? body : body + NOT_BUILT,
    stylesheets: isBuilt ? ['/ops/console.css'] : [],
    scripts: [],
    modules: isBuilt ? ['/ops/console.js'] : [],
  });

/** How the console signs in, and how it reads its token. */
export type ConsoleTerms = {
  /** The OAuth client of the page. Empty if an outside issuer has none for it. */
  readonly clientId: string;
  /** The claims of access tokens that have the scopes and the tenant (contract 33.2). */
  readonly scopeClaim: string;
  readonly tenantClaim: string;
};

type Console = Shell &
  ConsoleTerms & {
    readonly publicUrl: string;
    readonly outsideIssuer: string | null;
  };

/** Creates the shell of the console, which its script fills. The script reads its addresses and its client from the shell (contract 43.11). */
export const consoleHtml = ({ publicUrl, clientId, scopeClaim, tenantClaim, outsideIssuer, ...shell }: Console): string => {
  const data = {
    root: '/',
    public: publicUrl,
    client: clientId,
    issuer: outsideIssuer?.replace(/\/$/, '') ?? '',
    scopes: scopeClaim,
    tenant: tenantClaim,
    return: CONSOLE_RETURN_PATH.slice(1),
  };
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`);
  const body = `<div id="console"${attributes.join('')}><noscript>The console needs JavaScript.</noscript></div>`;
  return shellHtml('Console', body, shell);
};

/**
 * Creates the page to which the browser returns, in a window of its own. Its script passes the code to the console, and closes the
 * window.
 */
export const signedInHtml = (shell: Shell): string => shellHtml('Signed in', '<div id="signed-in"></div>', shell);
