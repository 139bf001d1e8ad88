import { IsString, Matches } from 'class-validator';
import type { CallbackTerms } from '../../../libs/domain/orders/order.events.js';
import { AMOUNT, AMOUNT_WORDING } from '../http/patterns.js';
import { AS_SENT, inputOf } from '../http/validation/input-mapping.js';
import { CurrencyCode, Described, Documented, HttpUri, DateTime } from '../http/validation/rules.js';
import type { NamedSchema } from '../http/validation/schemas.js';

/** A request for an order callback (contract 17.1). */
@Documented('A request for an order callback')
export class OrderCallbackRequest {
  @IsString()
  @Matches(AMOUNT, { message: AMOUNT_WORDING })
  @Described('The expected amount due: the price of the pet when the order was placed, multiplied by the quantity', '250.00')
  readonly amount!: string;

  @CurrencyCode()
  @Described('ISO 4217 code', 'USD')
  readonly currency!: string;

  @DateTime()
  @Described('When the caller sends the request', '2026-01-02T03:04:05Z')
  readonly timestamp!: string;

  @HttpUri()
  @Described('The URL that receives the callback: http or https, on the public Internet', 'https://shop.example.com/callbacks')
  readonly callbackUrl!: string;
}

/** The schema of the response, an empty object (contract 17.2). */
export const ORDER_CALLBACK_ACCEPTED: NamedSchema = {
  name: 'OrderCallbackAccepted',
  schema: { type: 'object', description: 'An empty object. The callback contains the result', additionalProperties: false },
};

/** Maps the body to the input of the command `RequestCallback`. */
export const callbackInput = inputOf<OrderCallbackRequest, CallbackTerms>({
  callbackUrl: AS_SENT,
  amount: AS_SENT,
  currency: AS_SENT,
  timestamp: AS_SENT,
});
