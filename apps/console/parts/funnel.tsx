import { hrefOf } from '../routes.js';
import type { ServiceState } from '../shapes.js';
import { lengthWords } from '../time-words.js';
import { numberText } from './numbers.js';
import { Since } from './time.js';

/** Seconds. A smaller lag is nothing that one would notice. */
const STALE_AFTER = 10;

type Step = { readonly name: string; readonly count: number | undefined; readonly meaning: string; readonly tone?: 'bad' };

const Steps = ({ steps, kind }: { readonly steps: readonly Step[]; readonly kind: string }) => (
  <ol class={`steps-row ${kind}`}>
    {steps.map(({ name, count, meaning, tone }) => (
      <li key={name} class={tone === 'bad' && (count ?? 0) > 0 ? 'bad' : undefined} title={meaning}>
        <strong>{count === undefined ? '–' : numberText(count)}</strong>
        <span>{name}</span>
        <small>{meaning}</small>
      </li>
    ))}
  </ol>
);

const orderSteps = (counts: Readonly<Record<string, number>>): readonly Step[] => [
  { name: 'Placed', count: counts['placed'], meaning: 'waiting for payment' },
  { name: 'Approved', count: counts['approved'], meaning: 'paid, to be shipped' },
  { name: 'Shipped', count: counts['shipped'], meaning: 'on the way' },
  { name: 'Delivered', count: counts['delivered'], meaning: 'done' },
  { name: 'Cancelled', count: counts['cancelled'], meaning: 'also if not paid in time' },
];

const paymentSteps = (counts: Readonly<Record<string, number>>): readonly Step[] => [
  { name: 'Processing', count: counts['processing'], meaning: 'no outcome yet' },
  { name: 'Succeeded', count: counts['succeeded'], meaning: 'charged' },
  { name: 'Failed', count: counts['failed'], meaning: 'declined' },
  ...(counts['refunded'] === undefined ? [] : [{ name: 'Refunded', count: counts['refunded'], meaning: 'given back' }]),
];

const deliverySteps = (counts: Readonly<Record<string, number>>): readonly Step[] => [
  { name: 'Pending', count: counts['pending'], meaning: 'to be sent, now or again' },
  { name: 'Waiting', count: counts['waiting'], meaning: 'behind an earlier one' },
  { name: 'Parked', count: counts['parked'], meaning: 'no attempt follows', tone: 'bad' },
];

const UNKNOWN = <p class="quiet">Unknown at the moment.</p>;

/** Says that numbers are old. They are counted in a read model. */
const Stale = ({ state, of }: { readonly state: ServiceState; readonly of: string }) => {
  const projection = state.projections?.find(({ name }) => name === of);
  if (projection?.pause)
    return (
      <p class="stale">
        As of <Since at={projection.pause.since} />: the projection is paused.
      </p>
    );
  if (projection === undefined || (projection.behindSeconds ?? 0) < STALE_AFTER) return null;
  return <p class="stale">{lengthWords(projection.behindSeconds ?? 0)} old: the projection lags.</p>;
};

/** Where orders, payments and deliveries are now. */
export const Funnel = ({ state }: { readonly state: ServiceState }) => {
  const { orders, payments, deliveries } = state;
  return (
    <section aria-label="Orders, payments and deliveries" class="funnels">
      <div class="funnel">
        <h2>Orders</h2>
        <Stale state={state} of="orders" />
        {orders === null ? UNKNOWN : <Steps kind="flow" steps={orderSteps(orders)} />}
      </div>
      <div class="funnel">
        <h2>Payments</h2>
        <Stale state={state} of="payments" />
        {payments === null ? UNKNOWN : <Steps kind="flow-one" steps={paymentSteps(payments)} />}
      </div>
      <div class="funnel">
        <h2>
          <a href={hrefOf('deliveries')}>Deliveries</a>
        </h2>
        {deliveries === null ? UNKNOWN : <Steps kind="" steps={deliverySteps(deliveries)} />}
      </div>
    </section>
  );
};
