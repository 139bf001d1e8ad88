import { hasStory, shortName } from '../event-words.js';
import { mayAudit } from '../access.js';
import { hrefOf } from '../routes.js';
import { session } from '../session.js';
import { tenantQuery } from '../tenant.js';

const isAuditor = (): boolean => {
  const { claims } = session.get();
  return claims !== null && mayAudit(claims);
};

type StreamProps = { readonly stream: string; readonly tenant?: string; readonly isWhole?: boolean };

/** The name of a stream, as a link to its story if it has one and the token may see it. */
export const StreamLink = ({ stream, tenant, isWhole }: StreamProps) => {
  const text = isWhole === true ? stream : shortName(stream);
  if (!hasStory(stream) || !isAuditor())
    return (
      <code title={stream} class={isWhole === true ? undefined : 'nowrap'}>
        {text}
      </code>
    );
  return (
    <a href={hrefOf('streams', stream, tenant === undefined ? {} : tenantQuery(tenant))} title={stream}>
      <code class={isWhole === true ? undefined : 'nowrap'}>{text}</code>
    </a>
  );
};

/** The id of a request, as a link to what it caused. */
export const RequestLink = ({ id, tenant, children }: { readonly id: string; readonly tenant?: string; readonly children?: string }) =>
  isAuditor() ? (
    <a href={hrefOf('requests', id, tenant === undefined ? {} : tenantQuery(tenant))} title={id}>
      {children ?? <code class="nowrap">{shortName(id)}</code>}
    </a>
  ) : (
    <code title={id}>{shortName(id)}</code>
  );

type ActorProps = { readonly actor: string; readonly actorName?: string | undefined };

/** Who caused an event, as a link to what else they caused. */
export const ActorLink = ({ actor, actorName }: ActorProps) => (
  <a href={hrefOf('streams', undefined, { actor })} title={`All events by ${actor}`}>
    {actorName ?? shortName(actor)}
  </a>
);
