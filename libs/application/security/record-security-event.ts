import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { SecurityEventData } from '../../domain/security/security.decider.js';
import type { Aggregates } from '../../eventsourcing/handle.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { SECURITY_OF_DAY } from '../aggregates.js';
import { commandContext } from '../request.js';
import { AGGREGATES, CLOCK } from '../tokens.js';

/** The actor in the metadata of security events. Only the data of an event name the caller, and these data are encrypted. */
const SERVICE = 'service';

/** Records a security event (contract 34.1). The event is durable when the command resolves. Returns null. */
export class RecordSecurityEvent extends Command<null> {
  constructor(
    readonly data: SecurityEventData,
    readonly request: { readonly tenant: string; readonly requestId: string; readonly traceparent?: string },
  ) {
    super();
  }
}

@CommandHandler(RecordSecurityEvent)
export class RecordSecurityEventHandler implements ICommandHandler<RecordSecurityEvent> {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ data, request }: RecordSecurityEvent): Promise<null> {
    const day = this.clock.now().toISOString().slice(0, 10);
    const context = commandContext({ ...request, actor: SERVICE });
    await this.aggregates.handle(SECURITY_OF_DAY, day, { type: 'SecurityEventRecorded', data }, context);
    return null;
  }
}
