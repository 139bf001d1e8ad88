import { withQuery } from '../api.js';
import { createAccount } from '../parts/account-actions.js';
import { ActionButton } from '../parts/action.js';
import { fieldText } from '../parts/field-text.js';
import { OfTenant, OutsideIssuerNote } from '../parts/of-tenant.js';
import { Page } from '../parts/page.js';
import { Pager } from '../parts/pager.js';
import { Read } from '../parts/problem.js';
import { State } from '../parts/state.js';
import { Table } from '../parts/table.js';
import { Since } from '../parts/time.js';
import { hrefOf } from '../routes.js';
import type { Account, Collection } from '../shapes.js';
import { useRead } from '../use-read.js';

const EVERY = 10_000;

const Find = ({ username }: { readonly username: string }) => (
  <div class="search">
    <form
      role="search"
      // The field takes what the address says when it changes.
      key={username}
      onSubmit={(event) => {
        event.preventDefault();
        location.hash = hrefOf('accounts', undefined, { username: fieldText(event.currentTarget, 'username') });
      }}
    >
      <label for="username">Username</label>
      <input
        id="username"
        name="username"
        type="search"
        maxLength={254}
        defaultValue={username}
        autocomplete="off"
        spellcheck={false}
        aria-describedby="username-help"
      />
      <button type="submit">Find</button>
      {username !== '' && <a href={hrefOf('accounts')}>All</a>}
    </form>
    <p id="username-help" class="quiet">
      The whole username, in upper or lower case.
    </p>
  </div>
);

/** The state of an account in a word. */
export const AccountState = ({ disabled }: Pick<Account, 'disabled'>) => (
  <State tone={disabled ? 'warning' : 'good'}>{disabled ? 'disabled' : 'enabled'}</State>
);

const nameOf = ({ firstName = '', lastName = '' }: Account): string => `${firstName} ${lastName}`.trim();

/** Who can sign in? */
export const AccountsPage = ({ query: { username = '', page } }: { readonly query: Readonly<Record<string, string>> }) => {
  const reading = useRead<Collection<Account>>(withQuery('v1/ops/users', { username, page, limit: 20 }), { every: EVERY });
  return (
    <Page
      title="Accounts"
      lead="An account belongs to a person, who signs in with it. Those with the role of staff get tokens with all scopes."
    >
      <OutsideIssuerNote />
      <div class="head-row">
        <Find username={username} />
        <ActionButton action={createAccount}>Create an account…</ActionButton>
      </div>
      <OfTenant what="Accounts" />
      <Read reading={reading}>
        {({ data, pagination }) => (
          <>
            {data.length === 0 ? (
              <p>{username === '' ? 'There are no accounts yet.' : `No account has the username ${username}.`}</p>
            ) : (
              <Table
                caption="Accounts, newest first"
                isCaptionHidden
                rows={data}
                keyOf={({ id }) => id}
                columns={[
                  { head: 'Username', isHead: true, cell: (account) => <a href={hrefOf('accounts', account.id)}>{account.username}</a> },
                  { head: 'Name', cell: (account) => nameOf(account) || <span class="quiet">–</span> },
                  { head: 'Role', cell: ({ staff }) => (staff ? 'staff' : <span class="quiet">–</span>) },
                  { head: 'State', cell: AccountState },
                  { head: 'Created', cell: ({ createdAt }) => <Since at={createdAt} /> },
                ]}
              />
            )}
            <Pager pagination={pagination} page="accounts" query={{ username }} label="Pages of accounts" />
          </>
        )}
      </Read>
    </Page>
  );
};
