import type { Aggregate, TenantScoped } from '../../eventsourcing/streams/aggregate.js';
import type { Aggregates } from '../../eventsourcing/aggregates.js';
import { isOfOtherTenant } from '../../eventsourcing/history.js';
import type { Message } from '../../eventsourcing/message.js';
import type { Projection } from '../../eventsourcing/projection.js';
import { ADOPTIONS, ORDERS, PAYMENTS, PETS, USERS, WEBHOOKS } from '../aggregates.js';

/** An aggregate whose history auditors read, with its read model. */
export type AuditedAggregate = Aggregate<TenantScoped, Message, Message, string> & { readonly projection: Projection };

/**
 * The aggregates whose history auditors read, by the category of their streams. The cast hides their different types of
 * commands and events, which histories do not use.
 */
export const AUDITED = {
  pet: PETS,
  order: ORDERS,
  payment: PAYMENTS,
  adoption: ADOPTIONS,
  user: USERS,
  webhook: WEBHOOKS,
} as unknown as Readonly<Record<'pet' | 'order' | 'payment' | 'adoption' | 'user' | 'webhook', AuditedAggregate>>;

/** A category of streams that auditors read. */
export type AuditedCategory = keyof typeof AUDITED;

/** Returns the aggregate of a category, or null if auditors do not read its streams. */
export const auditedAggregate = (category: string): AuditedAggregate | null =>
  Object.hasOwn(AUDITED, category) ? AUDITED[category as AuditedCategory] : null;

/**
 * Returns whether an aggregate exists in a tenant. Rejects with BrokenHistory if the aggregate's stream was altered or cannot
 * be read. If such a stream belongs to another tenant, returns false instead.
 */
export const isInTenant = async (aggregates: Aggregates, aggregate: AuditedAggregate, id: string, tenant: string): Promise<boolean> => {
  try {
    return (await aggregates.load(aggregate, id)).state.tenant === tenant;
  } catch (error) {
    if (isOfOtherTenant(tenant, error)) return false;
    throw error;
  }
};
