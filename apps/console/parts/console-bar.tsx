import { useEffect, useRef, useState } from 'preact/hooks';
import { hasUnanswered, sentActions } from '../acting.js';
import { mayWatch, PAGES, tenantChoice, visiblePages, type Claims, type PageName } from '../access.js';
import { liveStatus, serviceState, type LiveStatus } from '../live.js';
import { hrefOf, type Route } from '../routes.js';
import { signOut } from '../session.js';
import { useStore } from '../store.js';
import { ALL, SHARED, tenant } from '../tenant.js';
import { fieldText } from './field-text.js';

const LABELS: Readonly<Record<PageName, string>> = {
  overview: 'Overview',
  stuck: 'Stuck',
  parked: 'Parked',
  streams: 'Streams',
  projections: 'Projections',
  consumers: 'Consumers',
  deliveries: 'Deliveries',
  accounts: 'Accounts',
  clients: 'Clients',
  keys: 'Keys',
  audit: 'Audit',
};

const STATUS: Readonly<Record<LiveStatus, string>> = {
  off: 'Not connected',
  connecting: 'Connecting…',
  live: 'Live',
  reconnecting: 'Reconnecting…',
  paused: 'Paused',
};

/** Returns a number, with a `+` if there may be more; '' for none. */
const countText = (count: number, isComplete: boolean): string => (count === 0 ? '' : `${count}${isComplete ? '' : '+'}`);

/** The number of what waits for an operator, beside the name of its page. */
const useCounts = (): Readonly<Partial<Record<PageName, string>>> => {
  const state = useStore(serviceState);
  return {
    stuck: countText(state?.stuck?.reduce((sum, { count }) => sum + count, 0) ?? 0, true),
    parked: countText(state?.parked?.count ?? 0, state?.parked?.isComplete ?? true),
  };
};

const CUSTOM = 'other';

/** Takes the id of a tenant: the page has no list of tenants. */
const TenantForm = ({ onDone }: { readonly onDone: () => void }) => (
  <form
    class="tenant"
    onSubmit={(event) => {
      event.preventDefault();
      const id = fieldText(event.currentTarget, 'tenant');
      if (id !== '') tenant.set(id.toLowerCase());
      onDone();
    }}
  >
    <label>
      Tenant <input name="tenant" placeholder="its id, a UUID" autocomplete="off" spellcheck={false} ref={(element) => element?.focus()} />
    </label>{' '}
    <button type="submit">Use it</button>
  </form>
);

const TenantChooser = ({ hasAll }: { readonly hasAll: boolean }) => {
  const chosen = useStore(tenant);
  const [isTyping, setTyping] = useState(false);
  if (isTyping) return <TenantForm onDone={() => setTyping(false)} />;
  return (
    <label class="tenant">
      Tenant
      <select
        value={chosen}
        onChange={({ currentTarget: { value } }) => {
          if (value === CUSTOM) setTyping(true);
          else tenant.set(value);
        }}
      >
        <option value={SHARED}>Shared pool</option>
        {hasAll && <option value={ALL}>All tenants</option>}
        {chosen !== ALL && chosen !== SHARED && <option value={chosen}>{chosen}</option>}
        <option value={CUSTOM}>By its id…</option>
      </select>
    </label>
  );
};

const current = ({ page }: Route): string => (page === 'requests' ? 'streams' : page);

/** What the page has sent, once there is something. The number is of what has no answer. */
const ActionsItem = ({ isCurrent }: { readonly isCurrent: boolean }) => {
  const sent = useStore(sentActions);
  const open = sent.filter(({ state }) => state === 'sending' || state === 'unknown').length;
  if (sent.length === 0) return null;
  return (
    <li>
      <a href={hrefOf('actions')} aria-current={isCurrent ? 'page' : undefined}>
        Actions{open > 0 && <span class="count wrong">{open}</span>}
      </a>
    </li>
  );
};

type Props = { readonly claims: Claims; readonly route: Route; readonly isActive: boolean };

/** The navigation of the console, the state of its connection, and who uses it. */
export const ConsoleBar = ({ claims, route, isActive }: Props) => {
  const status = useStore(liveStatus);
  const counts = useCounts();
  const pages = visiblePages(claims);
  const { isFree, hasAll } = tenantChoice(claims);
  const list = useRef<HTMLUListElement>(null);
  // On a narrow screen the list of pages is wider than the screen.
  useEffect(() => list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' }), [route.page]);
  return (
    <nav class="console-bar" aria-label="Console">
      <button type="button" class="skip" onClick={() => document.querySelector('h1')?.focus()}>
        Skip to the content
      </button>
      <div class="page">
        <div class="who">
          {mayWatch(claims) && (
            <span class={`connection ${status}`} role="status">
              {STATUS[status]}
            </span>
          )}
          {isFree && <TenantChooser hasAll={hasAll} />}
          {claims.tenant !== undefined && (
            <span class="quiet">
              Tenant <code title={claims.tenant}>{claims.tenant.slice(0, 8)}</code>
            </span>
          )}
          <span class="quiet subject" title="The subject of your access token">
            {claims.subject}
          </span>
          {isActive && (
            <button
              type="button"
              onClick={() => {
                if (!hasUnanswered() || confirm('An action has no answer yet. Sign out and forget it?')) void signOut();
              }}
            >
              Sign out
            </button>
          )}
        </div>
        <ul ref={list}>
          {PAGES.filter((page) => pages.includes(page)).map((page) => (
            <li key={page}>
              <a href={hrefOf(page)} aria-current={current(route) === page ? 'page' : undefined}>
                {LABELS[page]}
                {counts[page] !== undefined && counts[page] !== '' && <span class="count wrong">{counts[page]}</span>}
              </a>
            </li>
          ))}
          <ActionsItem isCurrent={route.page === 'actions'} />
        </ul>
      </div>
    </nav>
  );
};
