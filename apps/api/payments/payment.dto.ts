import { Allow, IsIn, IsString, Matches } from 'class-validator';
import type { PaymentInput } from '../../../libs/application/payments/payment.commands.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../../libs/domain/payments/payment.events.js';
import { AMOUNT, AMOUNT_WORDING, STORED_AMOUNT, STORED_CURRENCY } from '../http/patterns.js';
import { AS_SENT, inputOf } from '../http/validation/input-mapping.js';
import { CurrencyCode, Described, Documented, Nested, Optional, ReadOnly, Schema } from '../http/validation/rules.js';
import { kindsBy, schemaRef } from '../http/validation/schemas.js';
import { MaskedPaymentSource, type MaskedSourceBody } from './masked-source.dto.js';
import { BankAccount, BankCard, GuideBankAccount, sourceInput } from './payment-source.dto.js';

/** The fields of a payment that do not depend on its source. */
export class PaymentFields {
  @IsString()
  @Matches(AMOUNT, { message: AMOUNT_WORDING })
  @Described('The amount due: the price of the pet when the order was placed, multiplied by the quantity', '250.00')
  readonly amount!: string;

  @CurrencyCode()
  @Described('ISO 4217 code', 'USD')
  readonly currency!: string;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly id?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly status?: unknown;
}

/** A payment by card. */
export class CardPayment extends PaymentFields {
  @Nested(() => BankCard)
  readonly source!: BankCard;
}

/** A payment from a bank account. */
export class BankAccountPayment extends PaymentFields {
  @Nested(() => BankAccount)
  readonly source!: BankAccount;
}

/** A payment from a bank account with the field names of the API guide (contract 15.7). */
export class GuideBankAccountPayment extends PaymentFields {
  @Nested(() => GuideBankAccount)
  readonly source!: GuideBankAccount;
}

/**
 * A payment whose source is not validated. If the kind of the source is unknown, no other class applies, and this class
 * finds the errors of the other fields.
 */
export class PaymentOfAnySource extends PaymentFields {
  @Allow()
  @Optional()
  readonly source?: unknown;
}

/** The schema of a source in a request. It is not used to validate requests. */
@Documented(
  'A payment source. Its field `object` names its kind, in lower or upper case. Unknown fields are rejected with 422',
  'Payment Source',
  // Each kind has one value of its own. Generators choose the kind by this value alone, and make one name of `card` and `CARD`.
  kindsBy('object', { card: 'BankCard', bank_account: 'BankAccount', BANK_ACCOUNT: 'GuideBankAccount' }),
)
export class PaymentSource {
  @IsString()
  @Described('The kind of source', 'card')
  readonly object!: string;
}

/** The body in the OpenAPI document, with all forms of the source. It is not used to validate requests. */
@Documented('A new payment')
export class PaymentRequest extends PaymentFields {
  @Allow()
  @Schema({ ...schemaRef(PaymentSource.name), description: 'The payment source' })
  readonly source!: BankCard | BankAccount | GuideBankAccount;
}

/** A valid payment. */
export type PaymentBody = CardPayment | BankAccountPayment | GuideBankAccountPayment;

/** The representation of a payment in responses. */
@Documented('A payment of an order', 'Payment')
export class Payment {
  @IsString()
  @Schema({ format: 'uuid', readOnly: true, description: 'Set by the service' })
  readonly id!: string;

  @IsString()
  @Matches(STORED_AMOUNT)
  @Described('Decimal amount', '250.00')
  readonly amount!: string;

  @IsString()
  @Matches(STORED_CURRENCY)
  @Described('ISO 4217 code', 'USD')
  readonly currency!: string;

  @Allow()
  @Schema({ ...schemaRef(MaskedPaymentSource.name), description: 'The payment source, with a masked number. The cvc is never returned' })
  readonly source!: MaskedSourceBody;

  @IsString()
  @IsIn(PAYMENT_STATUSES)
  @Schema({ readOnly: true, description: 'The status: first `processing`, then `succeeded` or `failed`', examples: ['processing'] })
  readonly status!: PaymentStatus;

  @Optional()
  @IsString()
  @Schema({ readOnly: true, description: 'The reason that the payment gateway gives for a failed payment', examples: ['card_declined'] })
  readonly failureReason?: string;
}

@Documented('The receipt of a paid order')
export class Receipt {
  @IsString()
  @Schema({ format: 'uuid', description: 'The id of the receipt' })
  readonly receiptId!: string;

  @IsString()
  @Schema({ format: 'uri', description: 'The URL of the receipt' })
  readonly receiptUrl!: string;

  @IsString()
  @Schema({ format: 'uuid', description: 'The id of the order' })
  readonly orderId!: string;

  @IsString()
  @Schema({ format: 'uuid', description: 'The id of the payment' })
  readonly paymentId!: string;

  @IsString()
  @Matches(STORED_AMOUNT)
  @Described('Decimal amount', '250.00')
  readonly amount!: string;

  @IsString()
  @Matches(STORED_CURRENCY)
  @Described('ISO 4217 code', 'USD')
  readonly currency!: string;

  @Allow()
  @Schema({ ...schemaRef(MaskedPaymentSource.name), description: 'The payment source, with a masked number' })
  readonly source!: MaskedSourceBody;

  @IsString()
  @Schema({ format: 'date-time', description: 'When the payment succeeded' })
  readonly paidAt!: string;

  @IsString()
  @Schema({ format: 'date-time', description: 'When the receipt was created' })
  readonly generatedAt!: string;
}

const fieldsInput = inputOf<PaymentFields, Pick<PaymentInput, 'amount' | 'currency'>>({ amount: AS_SENT, currency: AS_SENT });

/** Maps the body to the input of a payment. */
export const paymentInput = (body: PaymentBody): PaymentInput => ({ ...fieldsInput(body), ...sourceInput(body.source) });
