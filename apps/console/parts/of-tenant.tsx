import { placeOf } from '../place.js';
import { useStore } from '../store.js';
import { ALL, tenant, tenantOfRequest, tenantWords } from '../tenant.js';

/** The tenant of what is listed: all tenants together have neither accounts nor clients. */
export const OfTenant = ({ what }: { readonly what: string }) => {
  const chosen = useStore(tenant);
  return (
    <p class="quiet">
      {what} of {tenantWords(tenantOfRequest())}.{chosen === ALL && ' All tenants cannot be listed at once: choose one above.'}
    </p>
  );
};

/** Says that an outside issuer signs people in (contract 33.1); nothing if the service does. */
export const OutsideIssuerNote = () => {
  const { issuer } = placeOf();
  return issuer === '' ? null : (
    <p class="note warning">
      <code>{issuer}</code> signs people in to this service. What is here signs nobody in.
    </p>
  );
};
