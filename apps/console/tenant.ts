import { session } from './session.js';
import { createStore } from './store.js';

/** All tenants: only for the log, with the scope ops. */
export const ALL = '*';
/** The part of the store without a tenant. */
export const SHARED = 'shared';

/** The chosen tenant: a UUID, `shared` or `*`. */
export const tenant = createStore<string>(SHARED);

/** Returns the tenant whose resources a request means: all tenants together have no resources. */
export const tenantOfRequest = (given?: string): string => {
  const chosen = session.get().claims?.tenant ?? given ?? tenant.get();
  return chosen === ALL ? SHARED : chosen;
};

/** Returns a tenant in words. */
export const tenantWords = (of: string): string => (of === SHARED ? 'the shared pool' : `the tenant ${of}`);

/** Returns the header that chooses a tenant; without it a request is for the shared pool, or the tenant of the token. */
export const tenantHeader = (given?: string): Readonly<Record<string, string>> => {
  const wanted = tenantOfRequest(given);
  return wanted === SHARED ? {} : { 'x-tenant-id': wanted };
};

/** Returns the member `tenant` of an address of a resource, if the chosen tenant does not say it already. */
export const tenantQuery = (of: string): Readonly<Record<string, string>> => (of === tenantOfRequest() ? {} : { tenant: of });
