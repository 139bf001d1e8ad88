import { withQuery } from '../api.js';
import * as actions from '../parts/account-actions.js';
import { ActionButton } from '../parts/action.js';
import { StreamLink } from '../parts/links.js';
import { OfTenant } from '../parts/of-tenant.js';
import { Page } from '../parts/page.js';
import { Pager } from '../parts/pager.js';
import { Read } from '../parts/problem.js';
import { Table } from '../parts/table.js';
import { Ago, Since } from '../parts/time.js';
import { hrefOf } from '../routes.js';
import type { Account, AccountSession, Collection } from '../shapes.js';
import { useRead } from '../use-read.js';
import { AccountState } from './accounts.js';

const EVERY = 10_000;

const Absent = () => <span class="quiet">–</span>;

const Facts = ({ account }: { readonly account: Account }) => {
  const { id, username, email, firstName, lastName, phone, staff, createdAt, updatedAt } = account;
  return (
    <dl class="facts pairs">
      <dt>Username</dt>
      <dd>{username}</dd>
      <dt>Name</dt>
      <dd>{`${firstName ?? ''} ${lastName ?? ''}`.trim() || <Absent />}</dd>
      <dt>State</dt>
      <dd>
        <AccountState {...account} />
      </dd>
      <dt>Role</dt>
      <dd>{staff ? 'staff' : <Absent />}</dd>
      <dt>Email address</dt>
      <dd>{email}</dd>
      <dt>Phone number</dt>
      <dd>{phone ?? <Absent />}</dd>
      <dt>Created</dt>
      <dd>
        <Since at={createdAt} />
      </dd>
      <dt>Last changed</dt>
      <dd>
        <Since at={updatedAt} />
      </dd>
      <dt>Story</dt>
      <dd>
        <StreamLink stream={`user-${id}`} isWhole />
      </dd>
    </dl>
  );
};

const Acts = ({ account }: { readonly account: Account }) => {
  const { staff, disabled } = account;
  return (
    <p class="acts">
      {disabled ? (
        <ActionButton action={() => actions.enableAccount(account)}>Enable…</ActionButton>
      ) : (
        <ActionButton action={() => actions.disableAccount(account)}>Disable…</ActionButton>
      )}
      {staff ? (
        <ActionButton action={() => actions.takeStaff(account)}>Take the role of staff…</ActionButton>
      ) : (
        <ActionButton action={() => actions.giveStaff(account)}>Give the role of staff…</ActionButton>
      )}
      <ActionButton action={() => actions.setPassword(account)}>Set a password…</ActionButton>
      <span class="final">
        <ActionButton action={() => actions.eraseAccount(account)}>Erase…</ActionButton>
      </span>
    </p>
  );
};

const Sessions = ({ account, page }: { readonly account: Account; readonly page: string | undefined }) => {
  const reading = useRead<Collection<AccountSession>>(withQuery(`v1/ops/users/${encodeURIComponent(account.id)}/sessions`, { page }), {
    every: EVERY,
  });
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <Read reading={reading}>
        {({ data, pagination }) => (
          <>
            {data.length === 0 ? (
              <p class="quiet">Nobody is signed in.</p>
            ) : (
              <Table
                caption="Sessions, the one that expires last first"
                isCaptionHidden
                rows={data}
                keyOf={({ id }) => id}
                columns={[
                  {
                    head: 'Signed in',
                    isHead: true,
                    cell: ({ createdAt, current }) => (
                      <>
                        <Since at={createdAt} />
                        {current && <span class="quiet"> this page</span>}
                      </>
                    ),
                  },
                  { head: 'With', cell: ({ clientId }) => (clientId === undefined ? 'username and password' : <code>{clientId}</code>) },
                  { head: 'Scopes', cell: ({ scopes }) => <code>{scopes.join(' ') || '–'}</code> },
                  { head: 'Expires', cell: ({ expiresAt }) => <Ago at={expiresAt} /> },
                  {
                    head: 'Action',
                    cell: (session) => (
                      <ActionButton action={() => actions.endSession(account, session)} label={`End the session ${session.id}`}>
                        End…
                      </ActionButton>
                    ),
                  },
                ]}
              />
            )}
            <Pager pagination={pagination} page="accounts" id={account.id} query={{}} label="Pages of sessions" />
          </>
        )}
      </Read>
    </section>
  );
};

type Props = { readonly id: string; readonly query: Readonly<Record<string, string>> };

/** Who is this, what may they do, and where are they signed in? */
export const AccountPage = ({ id, query: { page } }: Props) => {
  const reading = useRead<Account>(`v1/ops/users/${encodeURIComponent(id)}`, { every: EVERY });
  // What was read of an account that is erased meanwhile must not stay on the screen.
  const isGone = reading.problem?.status === 404;
  return (
    <Page title={reading.data === undefined || isGone ? 'An account' : `Account ${reading.data.username}`}>
      <p>
        <a href={hrefOf('accounts')}>All accounts</a>
      </p>
      {isGone ? (
        <>
          <p>No account has this id: it was erased, or it is of another tenant.</p>
          <OfTenant what="This page shows accounts" />
        </>
      ) : (
        <Read reading={reading}>
          {(account) => (
            <>
              <Facts account={account} />
              <Acts account={account} />
              <Sessions account={account} page={page} />
            </>
          )}
        </Read>
      )}
    </Page>
  );
};
