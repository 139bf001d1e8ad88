import { IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { Described, Documented, Optional, Schema } from '../../http/validation/rules.js';
import type { NamedSchema } from '../../http/validation/schemas.js';

const HOUR = 3_600;

/** The query parameters of the live stream. */
@Documented('What is watched, and how long')
export class LiveQuery {
  @Optional()
  @IsInt()
  @Min(0)
  @Max(HOUR)
  @Schema({ description: 'The stream ends after so many seconds; with 0 after the first events', default: HOUR, examples: [60] })
  readonly seconds?: number;

  @Optional()
  @IsString()
  @IsIn(['*'])
  @Described('`*` requests the events of all tenants. The token must have the scope `ops` and be bound to no tenant')
  readonly tenant?: string;
}

/** Returns the seconds after which a stream ends. */
export const secondsOf = ({ seconds = HOUR }: LiveQuery = {}): number => seconds;

/** The names of the events of the live stream. */
export const LIVE_EVENTS = ['state', 'samples', 'integrity', 'appended', 'end'] as const;

/** The data of an event of the live stream. The contract says what each event has. */
export const LIVE_DATA: NamedSchema = {
  name: 'LiveData',
  schema: {
    type: 'object',
    additionalProperties: true,
    description:
      'state: the processes, the numbers of orders, payments and deliveries by status, what is stuck and parked, the read models and the ' +
      'health of the log, each null while it is unknown; samples: what each process did in each ten seconds of the last hour, later only ' +
      'what is new; integrity: what the audits of the log have found; appended: new events of the log, without their data; end: the reason why the stream ends',
  },
};
