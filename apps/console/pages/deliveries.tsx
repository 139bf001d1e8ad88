import { withQuery } from '../api.js';
import { enableAction, redeliverAction } from '../parts/delivery-actions.js';
import { ActionButton } from '../parts/action.js';
import { Command } from '../parts/command.js';
import { StreamLink } from '../parts/links.js';
import { Page } from '../parts/page.js';
import { Read } from '../parts/problem.js';
import { State, toneOf } from '../parts/state.js';
import { Table } from '../parts/table.js';
import { Ago, Since, Time } from '../parts/time.js';
import { hrefOf } from '../routes.js';
import { session } from '../session.js';
import type { Delivery, LogPage } from '../shapes.js';
import { useStore } from '../store.js';
import { useRead } from '../use-read.js';

const EVERY = 10_000;
const STATUSES = { '': 'All', pending: 'Pending', waiting: 'Waiting', delivered: 'Delivered', parked: 'Parked' } as const;

/** Why no attempt follows (contract 20.5). */
const PARKED: Readonly<Record<string, string>> = {
  exhausted: 'all attempts failed',
  gone: 'the receiver answered 410',
  disabled: 'its endpoint is disabled',
  removed: 'its endpoint is removed',
};

/** Staff of webhooks may enable an endpoint. */
const Enable = ({ id, tenant }: { readonly id: string; readonly tenant: string }) =>
  useStore(session).claims?.scopes.has('write:webhooks') === true ? (
    <ActionButton action={() => enableAction(id, tenant)} label={`Enable the endpoint ${id}`}>
      Enable the endpoint
    </ActionButton>
  ) : (
    <span class="quiet">enabled again with a token that has write:webhooks</span>
  );

/** Why a delivery is parked if its endpoint is disabled: a receiver that answers 410 disables it. */
const MAY_BE_DISABLED = new Set(['gone', 'disabled']);

const Receiver = ({ delivery: { webhookId, orderId, tenant } }: { readonly delivery: Delivery }) =>
  webhookId === undefined ? (
    <>
      callback of <StreamLink stream={`order-${orderId ?? ''}`} tenant={tenant} />
    </>
  ) : (
    <StreamLink stream={`webhook-${webhookId}`} tenant={tenant} />
  );

const Attempts = ({ attempts, id }: Pick<Delivery, 'attempts' | 'id'>) =>
  attempts.length === 0 ? (
    <span class="quiet">none yet</span>
  ) : (
    <details>
      <summary>
        {attempts.length}
        <span class="unseen"> attempts</span>
      </summary>
      <Table
        caption={`Attempts of the delivery ${id}`}
        isCaptionHidden
        rows={attempts}
        keyOf={({ at }) => at}
        columns={[
          { head: 'When', isHead: true, cell: ({ at }) => <Time at={at} /> },
          { head: 'Answer', cell: ({ status, fault }) => (status === undefined ? (fault ?? 'none') : String(status)) },
          { head: 'Took', isNumber: true, cell: ({ durationMilliseconds }) => `${durationMilliseconds} ms` },
          { head: 'To', cell: ({ url }) => <code>{url}</code> },
        ]}
      />
    </details>
  );

const NextAttempt = ({ delivery: { status, nextAttemptAt, parkedBecause } }: { readonly delivery: Delivery }) => {
  if (parkedBecause !== undefined) return <>{PARKED[parkedBecause] ?? parkedBecause}</>;
  if (nextAttemptAt === null || status === 'delivered') return <span class="quiet">–</span>;
  return <Ago at={nextAttemptAt} />;
};

/** Did the receivers get what they should? */
export const DeliveriesPage = ({ query }: { readonly query: Readonly<Record<string, string>> }) => {
  const { status = '', after } = query;
  const reading = useRead<LogPage<Delivery>>(withQuery('v1/ops/deliveries', { status, after, limit: 50 }), { every: EVERY });
  return (
    <Page
      title="Deliveries"
      lead="A delivery sends one event to one receiver: a webhook endpoint, or the callback of an order. It is attempted again with growing delays until the receiver accepts it."
    >
      <nav class="tabs" aria-label="Status of the deliveries">
        {Object.entries(STATUSES).map(([value, label]) => (
          <a key={value} href={hrefOf('deliveries', undefined, { status: value })} aria-current={value === status ? 'true' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <Read reading={reading}>
        {({ data, next }) => (
          <>
            {data.length === 0 ? (
              <p>No deliveries{status && ` with the status ${status}`}.</p>
            ) : (
              <Table
                caption="Deliveries, newest first"
                isCaptionHidden
                rows={data}
                keyOf={({ id }) => id}
                columns={[
                  { head: 'Created', isHead: true, cell: ({ createdAt }) => <Since at={createdAt} /> },
                  { head: 'Event', cell: ({ eventType }) => <code>{eventType}</code> },
                  { head: 'Of', cell: ({ stream, tenant }) => <StreamLink stream={stream} tenant={tenant} /> },
                  { head: 'To', cell: (delivery) => <Receiver delivery={delivery} /> },
                  { head: 'Status', cell: (delivery) => <State tone={toneOf(delivery.status)}>{delivery.status}</State> },
                  { head: 'Next attempt', cell: (delivery) => <NextAttempt delivery={delivery} /> },
                  {
                    head: 'Actions',
                    cell: (delivery) =>
                      delivery.webhookId === undefined ? (
                        <span class="quiet">requested anew at its order</span>
                      ) : (
                        <div class="acts">
                          <ActionButton action={() => redeliverAction(delivery)} label={`Send ${delivery.id} again`}>
                            Send again
                          </ActionButton>
                          {MAY_BE_DISABLED.has(delivery.parkedBecause ?? '') && <Enable id={delivery.webhookId} tenant={delivery.tenant} />}
                        </div>
                      ),
                  },
                  { head: 'Attempts', cell: ({ attempts, id }) => <Attempts attempts={attempts} id={id} /> },
                ]}
              />
            )}
            <nav class="pager" aria-label="Pages of deliveries">
              {after !== undefined && <a href={hrefOf('deliveries', undefined, { status })}>Newest</a>}
              {next !== null && <a href={hrefOf('deliveries', undefined, { status, after: next })}>Older</a>}
            </nav>
          </>
        )}
      </Read>
      <p class="quiet">
        Parked has what is not attempted again, with its cause. After the receiver is repaired, and a disabled endpoint is enabled again:{' '}
        retry them under <a href={hrefOf('parked')}>Parked</a>, or in a terminal: <Command text="petstore retry --cause CAUSE" />
      </p>
    </Page>
  );
};
