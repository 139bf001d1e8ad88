import { stuckWords } from '../event-words.js';
import { Command, Remedy } from '../parts/command.js';
import { StreamLink } from '../parts/links.js';
import { Page } from '../parts/page.js';
import { Read } from '../parts/problem.js';
import { State } from '../parts/state.js';
import { Since } from '../parts/time.js';
import { hrefOf } from '../routes.js';
import type { StuckItem, StuckList } from '../shapes.js';
import { useRead } from '../use-read.js';

/** The search looks at many streams, so it is repeated less often than other lists. */
const EVERY = 10_000;

/** Why something is stuck, in words (contract 43.9). */
const CAUSES: Readonly<Record<string, string>> = {
  parked: 'parked',
  skipped: 'its event is skipped',
  broken: 'its history is broken',
  paused: 'a read model is paused',
  behind: 'a read model lags',
  'not-published': 'not published yet',
  gateway: 'the payment gateway',
  receiver: 'the receiver',
  unknown: 'unknown',
};

/** The page on which an operator acts on a cause. */
const ACT_AT: Readonly<Record<string, readonly [string, string]>> = {
  parked: ['parked', 'Retry or skip it'],
  skipped: ['parked', 'Unskip it'],
  paused: ['projections', 'Resume it'],
  behind: ['projections', 'See how far it is'],
  receiver: ['deliveries', 'Send it again'],
};

const ActLink = ({ cause }: { readonly cause: string }) => {
  const [page, words] = ACT_AT[cause] ?? [];
  return page === undefined ? null : <a href={hrefOf(page)}>{words}</a>;
};

const Item = ({ item: { tenant, since, stream, related, cause, why, helps, deliveryId, webhookId } }: { readonly item: StuckItem }) => (
  <li class="card">
    <p class="card-head">
      <StreamLink stream={stream} tenant={tenant} isWhole />{' '}
      <span>
        since <Since at={since} />
      </span>{' '}
      <State tone="warning">{CAUSES[cause] ?? cause}</State>
    </p>
    <dl class="facts">
      <dt>Why</dt>
      <dd>{why}</dd>
      <dt>What helps</dt>
      <dd>
        <Remedy text={helps} /> <ActLink cause={cause} />
      </dd>
      {related.length > 0 && (
        <>
          <dt>It needs</dt>
          <dd>
            {related.map((one) => (
              <span key={one}>
                <StreamLink stream={one} tenant={tenant} />{' '}
              </span>
            ))}
          </dd>
        </>
      )}
      {deliveryId !== undefined && (
        <>
          <dt>Delivery</dt>
          <dd>
            <code>{deliveryId}</code>
            {webhookId !== undefined && (
              <>
                {' '}
                to <StreamLink stream={`webhook-${webhookId}`} tenant={tenant} />
              </>
            )}
          </dd>
        </>
      )}
      {tenant !== 'shared' && (
        <>
          <dt>Tenant</dt>
          <dd>
            <code>{tenant}</code>
          </dd>
        </>
      )}
    </dl>
  </li>
);

type ListProps = { readonly list: StuckList; readonly kind: string | undefined };

const List = ({ list: { count, isComplete, kinds, items }, kind }: ListProps) => {
  if (count === 0)
    return (
      <p class="all-quiet">
        <State tone="good">Nothing is stuck</State> Every step that follows from an event was taken within a minute.
      </p>
    );
  const shown = kinds.filter((one) => kind === undefined || one.kind === kind);
  return (
    <>
      <p>
        {count} in all{isComplete ? '.' : '. More is open than one search looks at, so only what waits the longest was looked at.'}{' '}
        {kind !== undefined && <a href={hrefOf('stuck')}>Show all kinds</a>}
      </p>
      {shown.map((one) => {
        const of = items.filter((item) => item.kind === one.kind);
        return (
          <section key={one.kind} aria-labelledby={one.kind}>
            <h2 id={one.kind}>
              {stuckWords(one.kind)} <span class="count">{one.count}</span>
            </h2>
            <p class="quiet">
              <code>{one.kind}</code>, the oldest since <Since at={one.oldest} />
            </p>
            <ul class="cards-list">
              {of.map((item) => (
                <Item key={item.stream + (item.deliveryId ?? '')} item={item} />
              ))}
            </ul>
            {of.length < one.count && <p class="quiet">{one.count - of.length} more are not shown.</p>}
          </section>
        );
      })}
    </>
  );
};

/** What should have happened and has not: why, and what helps. */
export const StuckPage = ({ kind }: { readonly kind: string | undefined }) => {
  const reading = useRead<StuckList>('v1/ops/stuck', { every: EVERY });
  return (
    <Page
      title="Stuck"
      lead="What should have happened more than a minute ago and has not: an order that is paid and not approved, a delivery that is overdue. The streams decide, so a read model that lags hides nothing."
    >
      <Read reading={reading}>{(list) => <List list={list} kind={kind} />}</Read>
      <p class="quiet">
        The same list in a terminal: <Command text="petstore stuck" />
      </p>
    </Page>
  );
};
