import type { StuckItem, StuckList } from '../../../api/ops/stuck/stuck.dto.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import { CommandError } from '../../errors/command-error.js';
import { parseDuration } from '../../client/time-options.js';
import type { OperatorOptions } from './parked.command.js';
import { operatorName, runAsOperator } from './run-as-operator.js';

/** The options of `petstore stuck`. */
export type StuckOptions = OperatorOptions & { readonly olderThan?: string };

/** Prints what should have happened and has not (contract 43.9). */
export const stuckCommand = async (settings: Settings, { olderThan, ...options }: StuckOptions): Promise<void> => {
  const milliseconds = olderThan === undefined ? undefined : parseDuration(olderThan);
  if (milliseconds === null) throw new CommandError(`--older-than must be a length of time such as 30s, 5m or 2h, not ${olderThan}`);
  await runAsOperator(settings, options, operatorName(), async ({ request }) => {
    const query = milliseconds === undefined ? '' : `?olderThan=${Math.round(milliseconds / 1_000)}`;
    const { json: stuck } = await request<StuckList>('GET', `/v1/ops/stuck${query}`);
    process.stdout.write(options.json ? `${JSON.stringify(stuck)}\n` : formatStuck(stuck));
  });
};

const formatStuck = ({ count, isComplete, kinds, items }: StuckList): string => {
  const rest = isComplete ? '' : 'More is open than one search looks at: what waits the longest was looked at.\n';
  if (count === 0) return `Nothing is stuck.\n${rest}`;
  const groups = kinds.map(({ kind, count: all }) => {
    const own = items.filter((item) => item.kind === kind);
    const more = all > own.length ? `  and ${all - own.length} more\n` : '';
    return `${MEANINGS[kind] ?? kind}: ${all}\n${own.map(formatItem).join('')}${more}`;
  });
  return `${groups.join('\n')}\n${count} ${count === 1 ? 'thing is' : 'things are'} stuck.\n${rest}`;
};

const formatItem = ({ stream, since, why, helps }: StuckItem): string =>
  `  ${stream}  since ${since}\n    why: ${why}\n    helps: ${helps}\n`;

/** What people say of each kind. A newer service may have others. */
const MEANINGS: Readonly<Record<string, string>> = {
  'order-not-placed': 'Pets are reserved for an order that is not placed',
  'payment-not-requested': 'Orders have started a payment that is not requested',
  'payment-processing': 'Payments are processing',
  'payment-failure-not-recorded': 'Payments have failed, and their orders do not know it',
  'order-not-approved': 'Orders are paid and not approved',
  'pet-not-adopted': 'Orders are approved, and their pets are not adopted',
  'order-not-expired': 'Orders are unpaid for longer than ORDER_HOLD and not cancelled',
  'pet-not-released': 'Orders are cancelled and still hold their pets',
  'payment-not-refunded': 'Orders are cancelled and their payments not refunded',
  'application-without-hold': 'Adoption applications are open and do not hold their pets',
  'application-not-expired': 'Adoption applications are undecided for longer than ADOPTION_HOLD',
  'approval-without-pet': 'Adoption applications are being approved and do not have their pets',
  'pet-not-freed': 'Adoption applications have ended and still hold their pets',
  'delivery-overdue': 'Deliveries of webhooks and callbacks are overdue',
  'delivery-given-up': 'Deliveries of webhooks and callbacks are given up',
  'claim-not-lapsed': 'Names are claimed by accounts that do not use them',
  'users-not-settled': 'Lists of users are neither complete nor undone',
} satisfies Record<StuckItem['kind'], string>;
