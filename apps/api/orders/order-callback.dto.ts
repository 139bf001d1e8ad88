import { IsString, Matches } from 'class-validator';
import type { CallbackTerms } from '../../../libs/domain/orders/order.events.js';
import { AMOUNT, AMOUNT_WORDING } from '../http/patterns.js';
import { AS_SENT, inputOf } from '../http/validation/input-mapping.js';
import { CurrencyCode, Described, Documented, HttpUri, Moment } from '../http/validation/rules.js';
import type { NamedSchema } from '../http/validation/schemas.js';

/** A request for an order callback: the address, and what the client expects of the order. "Body, all four required." */
@Documented('A request for an order callback')
export class OrderCallbackRequest {
  @IsString()
  @Matches(AMOUNT, { message: AMOUNT_WORDING })
  @Described('What the caller takes to be due: the price at ordering times the quantity', '250.00')
  readonly amount!: string;

  @CurrencyCode()
  @Described('ISO 4217 code', 'USD')
  readonly currency!: string;

  @Moment()
  @Described('When the caller asks', '2026-01-02T03:04:05Z')
  readonly timestamp!: string;

  @HttpUri()
  @Described('Where the callback is posted to: an http or https address on the public Internet', 'https://shop.example.com/callbacks')
  readonly callbackUrl!: string;
}

/** "Response 201 with a JSON object (empty in the sample)" */
export const ORDER_CALLBACK_ACCEPTED: NamedSchema = {
  name: 'OrderCallbackAccepted',
  schema: { type: 'object', description: 'Nothing yet; the callback says the rest', additionalProperties: false },
};

/** The callback that is requested. */
export const callbackInput = inputOf<OrderCallbackRequest, CallbackTerms>({
  callbackUrl: AS_SENT,
  amount: AS_SENT,
  currency: AS_SENT,
  timestamp: AS_SENT,
});
