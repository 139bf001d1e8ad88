import { Allow, IsIn, IsString, Matches } from 'class-validator';
import type { PaymentInput } from '../../../libs/application/payments/create-payment.handler.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../../libs/domain/payments/payment.events.js';
import { AMOUNT, AMOUNT_WORDING, STORED_AMOUNT, STORED_CURRENCY } from '../http/patterns.js';
import { AS_SENT, inputOf } from '../http/validation/input-mapping.js';
import { CurrencyCode, Described, Documented, Nested, Optional, ReadOnly, Schema } from '../http/validation/rules.js';
import { MASKED_SOURCE, type MaskedSourceBody } from './masked-source.dto.js';
import { BankAccount, BankCard, GuideBankAccount, sourceInput } from './payment-source.dto.js';

/** What is paid, whatever it is paid with. */
export class PaymentFields {
  @IsString()
  @Matches(AMOUNT, { message: AMOUNT_WORDING })
  @Described('What is due: the price at ordering times the quantity', '250.00')
  readonly amount!: string;

  @CurrencyCode()
  @Described('ISO 4217 code', 'USD')
  readonly currency!: string;

  @ReadOnly('Made by the service; ignored')
  readonly id?: unknown;

  @ReadOnly('Kept by the service; ignored')
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

/** A payment from a bank account, as the guide text writes it. */
export class GuideBankAccountPayment extends PaymentFields {
  @Nested(() => GuideBankAccount)
  readonly source!: GuideBankAccount;
}

/** A payment whose source is not looked at, nor missed: what it is must be known first. */
export class PaymentOfAnySource extends PaymentFields {
  @Allow()
  @Optional()
  readonly source?: unknown;
}

const SOURCES = ['BankCard', 'BankAccount', 'GuideBankAccount'].map((name) => ({ $ref: `#/components/schemas/${name}` }));

/** Documents the choice of sources. */
@Documented('A payment to be made')
export class NewOrderPayment extends PaymentFields {
  @Allow()
  @Schema({ oneOf: SOURCES, description: 'What it is paid with, told apart by `object`; CARD and BANK_ACCOUNT are read too' })
  readonly source!: BankCard | BankAccount | GuideBankAccount;
}

/** Any of the payments above. */
export type PaymentBody = CardPayment | BankAccountPayment | GuideBankAccountPayment;

/** A payment as it is read. */
@Documented('A payment of an order', 'Order Payment')
export class OrderPayment {
  @IsString()
  @Schema({ format: 'uuid', readOnly: true, description: 'Made by the service' })
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
  @Schema({ ...MASKED_SOURCE, description: 'The payment source, masked; the cvc is never returned' })
  readonly source!: MaskedSourceBody;

  @IsString()
  @IsIn(PAYMENT_STATUSES)
  @Schema({ readOnly: true, description: 'processing at first, then succeeded or failed', examples: ['processing'] })
  readonly status!: PaymentStatus;

  @Optional()
  @IsString()
  @Schema({ readOnly: true, description: "Why a failed payment failed, in the gateway's words", examples: ['card_declined'] })
  readonly failureReason?: string;
}

@Documented('The proof that an order was paid')
export class Receipt {
  @IsString()
  @Schema({ format: 'uuid', description: 'The receipt' })
  readonly receiptId!: string;

  @IsString()
  @Schema({ format: 'uri', description: 'Where it is read' })
  readonly receiptUrl!: string;

  @IsString()
  @Schema({ format: 'uuid', description: 'The order' })
  readonly orderId!: string;

  @IsString()
  @Schema({ format: 'uuid', description: 'The payment' })
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
  @Schema({ ...MASKED_SOURCE, description: 'The payment source, masked' })
  readonly source!: MaskedSourceBody;

  @IsString()
  @Schema({ format: 'date-time', description: 'When the payment succeeded' })
  readonly paidAt!: string;

  @IsString()
  @Schema({ format: 'date-time', description: 'When the receipt was made' })
  readonly generatedAt!: string;
}

const fieldsInput = inputOf<PaymentFields, Pick<PaymentInput, 'amount' | 'currency'>>({ amount: AS_SENT, currency: AS_SENT });

/** The payment that is started. */
export const paymentInput = (body: PaymentBody): PaymentInput => ({ ...fieldsInput(body), ...sourceInput(body.source) });
