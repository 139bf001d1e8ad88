import { IsArray, IsBoolean, IsIn, IsInt, IsString, Matches, Max, Min, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import type { NewOrderInput } from '../../../libs/application/orders/order.commands.js';
import type { OrderFilter } from '../../../libs/application/orders/order.queries.js';
import { MAX_QUANTITY } from '../../../libs/domain/orders/order.decider.js';
import {
  ORDER_PAYMENT_STATUSES,
  ORDER_STATUSES,
  type OrderPaymentStatus,
  type OrderStatus,
} from '../../../libs/domain/orders/order.events.js';
import { Links, PageQuery, Pagination } from '../http/collection.dto.js';
import { AMOUNT, STORED_CURRENCY, UUID, UUID_WORDING } from '../http/patterns.js';
import { AS_SENT, inputOf, NOT_IN_INPUT } from '../http/validation/input-mapping.js';
import {
  CalendarDate,
  DateTime,
  FreeText,
  Described,
  Documented,
  Nested,
  OneLine,
  Optional,
  ReadOnly,
  Schema,
} from '../http/validation/rules.js';

const PET_ID = {
  type: 'string',
  format: 'uuid',
  description: 'The id of the ordered pet',
  examples: ['0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60'],
};
const STATUS =
  'placed: not yet paid; approved: paid, not yet shipped; shipped: on its way; delivered: complete; cancelled: ended before shipment';

const PAYMENT_STATUS =
  'processing: a payment is running; succeeded: paid; failed: the last payment failed, and the order can be paid again; ' +
  'refunded: the payment was paid back; absent before the first payment';

@Documented('A new order')
export class OrderRequest {
  @IsString()
  @Matches(UUID, { message: UUID_WORDING })
  @Schema(PET_ID)
  readonly petId!: string;

  @Optional()
  @OneLine(1, 64)
  @Described('The user of the order. Default: the subject of the token', 'ann')
  readonly userId?: string;

  @Optional()
  @IsInt()
  @Min(1)
  @Max(MAX_QUANTITY)
  @Schema({ description: 'The quantity', default: 1, examples: [1] })
  readonly quantity?: number;

  @Optional()
  @CalendarDate()
  @Described('The planned date of shipment', '2026-12-24')
  readonly shipDate?: string;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly id?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly status?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly complete?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly amountDue?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly currency?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly paymentStatus?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly createdAt?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly expiresAt?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly updatedAt?: unknown;

  @ReadOnly('Set from the header X-Tenant-ID. A value in a body is ignored')
  readonly tenantId?: unknown;
}

/** The representation of an order in responses. */
@Documented('An order')
export class Order {
  @IsString()
  @Schema({ format: 'uuid', readOnly: true, description: 'Set by the service' })
  readonly id!: string;

  @IsString()
  @Schema(PET_ID)
  readonly petId!: string;

  @Optional()
  @FreeText(1, 64)
  @Described('The user of the order', 'ann')
  readonly userId?: string;

  @IsInt()
  @Min(1)
  @Max(MAX_QUANTITY)
  @Described('The quantity', 1)
  readonly quantity!: number;

  @Optional()
  @CalendarDate()
  @Described('The planned or actual date of shipment', '2026-12-24')
  readonly shipDate?: string;

  @IsString()
  @IsIn(ORDER_STATUSES)
  @Schema({ description: STATUS, readOnly: true })
  readonly status!: OrderStatus;

  @IsBoolean()
  @Schema({ description: 'Whether the order is delivered', readOnly: true })
  readonly complete!: boolean;

  @Optional()
  @Matches(AMOUNT)
  @Schema({
    description: 'The price of the pet when the order was placed, times the quantity, paid or not; absent if the pet had no price',
    readOnly: true,
    examples: ['250.00'],
  })
  readonly amountDue?: string;

  @Optional()
  @Matches(STORED_CURRENCY)
  @Schema({ description: 'The currency of the amount due, ISO 4217; absent if the pet had no price', readOnly: true, examples: ['USD'] })
  readonly currency?: string;

  @Optional()
  @IsString()
  @IsIn(ORDER_PAYMENT_STATUSES)
  @Schema({ description: PAYMENT_STATUS, readOnly: true, examples: ['processing'] })
  readonly paymentStatus?: OrderPaymentStatus;

  @DateTime()
  @Schema({ description: 'When the order was placed', readOnly: true, examples: ['2026-01-02T03:04:05.678Z'] })
  readonly createdAt!: string;

  @DateTime()
  @Schema({ description: 'When the order or its payment last changed', readOnly: true, examples: ['2026-01-02T03:04:05.678Z'] })
  readonly updatedAt!: string;

  @Optional()
  @DateTime()
  @Schema({
    description: 'When the order expires unless it is paid; absent once it is paid or cancelled',
    readOnly: true,
    examples: ['2026-01-03T03:04:05.678Z'],
  })
  readonly expiresAt?: string;
}

@Documented('A page of orders')
export class OrderCollection {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Order)
  @Described('The orders on this page')
  readonly data!: readonly Order[];

  @Nested(() => Pagination)
  readonly pagination!: Pagination;

  @Nested(() => Links)
  readonly links!: Links;
}

/** The query of a list of orders. */
export class OrderListQuery extends PageQuery {
  @Optional()
  @IsString()
  @IsIn(ORDER_STATUSES)
  @Described('Only orders with this status', 'placed')
  readonly status?: OrderStatus;

  @Optional()
  @IsString()
  @Matches(UUID, { message: UUID_WORDING })
  @Schema({ format: 'uuid', description: 'Only orders of this pet' })
  readonly petId?: string;

  @Optional()
  @FreeText(1, 64)
  @Described('Only orders of this user. Without the scope write:orders, the value must be the subject of the token', 'ann')
  readonly userId?: string;
}

/** Maps the body to the input of a new order. */
export const newOrderInput = inputOf<OrderRequest, NewOrderInput>({
  petId: ({ petId }) => petId.toLowerCase(),
  userId: AS_SENT,
  quantity: ({ quantity = 1 }) => quantity,
  shipDate: AS_SENT,
});

/** Maps the query to the filter of a list. */
export const orderFilter = inputOf<OrderListQuery, OrderFilter>({
  status: AS_SENT,
  petId: ({ petId }) => petId?.toLowerCase(),
  userId: AS_SENT,
  page: NOT_IN_INPUT,
  limit: NOT_IN_INPUT,
});
