import { IsBoolean, IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { MAX_QUANTITY } from '../../../../libs/domain/orders/order.decider.js';
import { DateTime, Described, Documented, Optional, ReadOnly, Schema } from '../../http/validation/rules.js';

export const CLASSIC_ORDER_STATUSES = ['placed', 'approved', 'delivered'] as const;
export type ClassicOrderStatus = (typeof CLASSIC_ORDER_STATUSES)[number];

const PET_ID = { format: 'int64', description: 'The id of the ordered pet', examples: [10] };
const SHIP_DATE = 'When the order is to be shipped. The service stores only the date, in UTC';

@Documented('A new order', 'OrderRequest')
export class NewClassicOrder {
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  @Schema(PET_ID)
  readonly petId!: number;

  @Optional()
  @IsInt()
  @Min(1)
  @Max(MAX_QUANTITY)
  @Schema({ format: 'int32', description: 'The quantity', default: 1, examples: [1] })
  readonly quantity?: number;

  @Optional()
  @DateTime()
  @Described(SHIP_DATE, '2026-12-24T00:00:00.000Z')
  readonly shipDate?: string;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly id?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly status?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly complete?: unknown;
}

/** An order in a response. */
@Documented('An order', 'Order')
export class ClassicOrder {
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  @Schema({ format: 'int64', description: 'Set by the service; unique in the tenant', examples: [11] })
  readonly id!: number;

  @Optional()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  @Schema({ ...PET_ID, description: 'The id of the ordered pet; absent after the pet was deleted' })
  readonly petId?: number;

  @IsInt()
  @Min(1)
  @Max(MAX_QUANTITY)
  @Schema({ format: 'int32', description: 'The quantity', examples: [1] })
  readonly quantity!: number;

  @Optional()
  @DateTime()
  @Described(SHIP_DATE, '2026-12-24T00:00:00.000Z')
  readonly shipDate?: string;

  @IsString()
  @IsIn(CLASSIC_ORDER_STATUSES)
  @Described('placed: not paid yet; approved: paid or shipped; delivered: complete', 'placed')
  readonly status!: ClassicOrderStatus;

  @IsBoolean()
  @Described('Whether the order is delivered', false)
  readonly complete!: boolean;
}
