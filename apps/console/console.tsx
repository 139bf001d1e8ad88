import { useEffect, useState } from 'preact/hooks';
import { mayAudit, visiblePages, type Claims } from './access.js';
import { AccountPage } from './pages/account.js';
import { AccountsPage } from './pages/accounts.js';
import { ActionsPage } from './pages/actions.js';
import { AuditPage } from './pages/audit.js';
import { ClientsPage } from './pages/clients.js';
import { ConsumersPage } from './pages/consumers.js';
import { DeliveriesPage } from './pages/deliveries.js';
import { KeysPage } from './pages/keys.js';
import { ExportPage } from './pages/export.js';
import { OverviewPage } from './pages/overview.js';
import { ParkedPage } from './pages/parked.js';
import { ProjectionsPage } from './pages/projections.js';
import { RequestPage } from './pages/request.js';
import { SignIn, SignInPage } from './pages/sign-in.js';
import { StreamPage } from './pages/stream.js';
import { StreamsPage } from './pages/streams.js';
import { StuckPage } from './pages/stuck.js';
import { ActionDialog } from './parts/action.js';
import { VerifyPage } from './pages/verify.js';
import { ConsoleBar } from './parts/console-bar.js';
import { Page } from './parts/page.js';
import { hrefOf, HOME, routeOf, type Route } from './routes.js';
import { session } from './session.js';
import { useStore } from './store.js';

const useRoute = (): Route => {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  useEffect(() => {
    const change = (): void => setRoute(routeOf(location.hash));
    addEventListener('hashchange', change);
    return () => removeEventListener('hashchange', change);
  }, []);
  return route;
};

const NothingToSee = ({ claims }: { readonly claims: Claims }) => (
  <Page title="Nothing to see with this token">
    <p>
      This page needs a token with the scope ops, or audit:read. The scopes of this one are:{' '}
      <code>{[...claims.scopes].join(' ') || 'none'}</code>
    </p>
  </Page>
);

const Unknown = () => (
  <Page title="There is no such page">
    <p>
      <a href={hrefOf(HOME)}>Go to the first page</a>
    </p>
  </Page>
);

/** Returns the part of the page for a route, or null if the token does not show it. */
const contentOf = ({ page, id, query }: Route, claims: Claims) => {
  if (page === 'requests') return id !== undefined && mayAudit(claims) ? <RequestPage key={id} id={id} query={query} /> : null;
  if (page === 'actions') return <ActionsPage />;
  const visible = visiblePages(claims).find((name) => name === page);
  switch (visible) {
    case 'overview':
      return <OverviewPage />;
    case 'stuck':
      return <StuckPage kind={query['kind']} />;
    case 'parked':
      return <ParkedPage />;
    case 'streams':
      return id === undefined ? <StreamsPage query={query} /> : <StreamPage key={id} stream={id} query={query} />;
    case 'projections':
      return <ProjectionsPage />;
    case 'consumers':
      return <ConsumersPage />;
    case 'deliveries':
      return <DeliveriesPage query={query} />;
    case 'accounts':
      return id === undefined ? <AccountsPage query={query} /> : <AccountPage key={id} id={id} query={query} />;
    case 'clients':
      return <ClientsPage query={query} />;
    case 'keys':
      return <KeysPage />;
    case 'audit':
      return auditPage(id, query);
    case undefined:
      return null;
  }
};

const auditPage = (id: string | undefined, query: Route['query']) => {
  if (id === 'verify') return <VerifyPage />;
  if (id === 'export') return <ExportPage />;
  return id === undefined ? <AuditPage page={query['page']} /> : null;
};

const Content = ({ route, claims }: { readonly route: Route; readonly claims: Claims }) => {
  const [first] = visiblePages(claims);
  if (first === undefined) return <NothingToSee claims={claims} />;
  // An auditor has no overview: the address without a page leads to the first one that the token shows.
  const shown = route.page === HOME ? { ...route, page: first } : route;
  return contentOf(shown, claims) ?? <Unknown />;
};

/** The whole page. After the end of a token it stays where it is, below the ways to sign in again. */
export const Console = () => {
  const { claims, isActive, notice, person } = useStore(session);
  const route = useRoute();
  if (claims === null)
    return (
      <main class="page console">
        <SignInPage {...(notice !== undefined && { notice })} />
      </main>
    );
  return (
    <>
      <ConsoleBar claims={claims} route={route} isActive={isActive} />
      <main class="page console" key={person}>
        {!isActive && (
          <section class="again" aria-labelledby="again">
            <h2 id="again">Sign in again to go on</h2>
            <SignIn level="again" {...(notice !== undefined && { notice })} />
          </section>
        )}
        <Content route={route} claims={claims} />
      </main>
      <ActionDialog key={person} />
    </>
  );
};
