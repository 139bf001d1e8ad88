import { hrefOf } from '../routes.js';
import type { ServiceState } from '../shapes.js';
import { numberText } from './numbers.js';

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
  { name: 'Pending', count: counts['pending'], meaning: 'to be sent now' },
  { name: 'Waiting', count: counts['waiting'], meaning: 'for the next attempt' },
  { name: 'Parked', count: counts['parked'], meaning: 'no attempt follows', tone: 'bad' },
];

const UNKNOWN = <p class="quiet">Unknown at the moment.</p>;

/** Where orders, payments and deliveries are now. */
export const Funnel = ({ state: { orders, payments, deliveries } }: { readonly state: ServiceState }) => (
  <section aria-label="Orders, payments and deliveries" class="funnels">
    <div class="funnel">
      <h2>Orders</h2>
      {orders === null ? UNKNOWN : <Steps kind="flow" steps={orderSteps(orders)} />}
    </div>
    <div class="funnel">
      <h2>Payments</h2>
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
