import type { AuditedEvent } from '../../../api/audit/audit.dto.js';
import type { AuditedLog } from '../../../api/audit/log.dto.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import type { ServiceOptions } from '../../client/service-client.js';
import { parseBound } from '../../client/time-options.js';
import { clock } from '../../composition/clock.js';
import { formatEvents } from '../ops/history.command.js';
import { runAsCaller } from '../ops/run-as-operator.js';

/** The options of `petstore audit events`. */
export type EventsOptions = ServiceOptions & {
  readonly type?: string;
  readonly changed?: string;
  readonly actor?: string;
  readonly from?: string;
  readonly to?: string;
  readonly json?: boolean;
};

/** The subject and scopes of the command's token. Without the scope ops, personal values are withheld (contract 35.10). */
const AUDITOR = { subject: 'audit', scope: 'audit:read ops' };

/**
 * Prints the events of a tenant that match the options, in the order of the log. Prints each page when it arrives, because a
 * page takes about a second and a log may have many.
 */
export const eventsCommand = (settings: Settings, options: EventsOptions): Promise<void> => {
  const query = queryOf(options);
  return runAsCaller(settings, options, AUDITOR, async (client) => {
    let printed = 0;
    for (let next: string | null = ''; next !== null;) {
      if (next !== '') query.set('after', next);
      const page: AuditedLog = (await client.request<AuditedLog>('GET', `/v1/audit/events?${query.toString()}`)).json;
      if (page.data.length > 0) process.stdout.write(options.json ? linesOf(page.data) : formatEvents(page.data, 'STREAM', printed === 0));
      printed += page.data.length;
      ({ next } = page);
    }
    if (printed === 0 && !options.json) process.stdout.write('No event matches.\n');
  });
};

const queryOf = ({ from, to, type, changed, actor }: EventsOptions): URLSearchParams => {
  const now = clock.now();
  return new URLSearchParams({
    limit: '100',
    ...(type !== undefined && { type }),
    ...(changed !== undefined && { changed }),
    ...(actor !== undefined && { actor }),
    ...(from !== undefined && { from: parseBound('--from', from, now).toISOString() }),
    ...(to !== undefined && { to: parseBound('--to', to, now).toISOString() }),
  });
};

const linesOf = (events: readonly AuditedEvent[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('');
