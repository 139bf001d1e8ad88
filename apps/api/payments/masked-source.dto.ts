import { IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { Described, Documented, Optional } from '../http/validation/rules.js';
import { SCHEMA_PREFIX } from '../http/validation/schemas.js';

/** A card in a response (contract 15.5, 15.8). */
@Documented('A card that an order is paid with, masked')
export class MaskedBankCard {
  @IsString()
  @IsIn(['card'])
  @Described('A card', 'card')
  readonly object!: 'card';

  @Optional()
  @IsString()
  @Described('The holder', 'Ann Example')
  readonly name?: string;

  @IsString()
  @Described('The number, masked to its last four digits', '************4242')
  readonly number!: string;

  @IsString()
  @Described('The brand, or `unknown`', 'visa')
  readonly brand!: string;

  @IsString()
  @Described('The last four digits', '4242')
  readonly last4!: string;

  @IsInt()
  @Min(1)
  @Max(12)
  @Described('Month of expiry', 12)
  readonly expMonth!: number;

  @IsInt()
  @Min(2000)
  @Max(9999)
  @Described('Year of expiry', 2031)
  readonly expYear!: number;

  @Optional()
  @IsString()
  @Described('First line of the address', '1 High Street')
  readonly addressLine1?: string;

  @Optional()
  @IsString()
  @Described('Second line of the address', 'Flat 2')
  readonly addressLine2?: string;

  @Optional()
  @IsString()
  @Described('Town', 'London')
  readonly addressCity?: string;

  @Optional()
  @IsString()
  @Described('Country, two lower-case letters', 'gb')
  readonly addressCountry?: string;

  @Optional()
  @IsString()
  @Described('Post code', 'N12 9XX')
  readonly addressPostCode?: string;
}

/** A bank account in a response (contract 15.6, 15.8). */
@Documented('A bank account that an order is paid from, masked')
export class MaskedBankAccount {
  @IsString()
  @IsIn(['bank_account'])
  @Described('A bank account', 'bank_account')
  readonly object!: 'bank_account';

  @Optional()
  @IsString()
  @Described('The holder', 'Ann Example')
  readonly name?: string;

  @IsString()
  @Described('The number, masked to its last four characters', '********6789')
  readonly number!: string;

  @Optional()
  @IsString()
  @Described('Sort code', '110000')
  readonly sortCode?: string;

  @Optional()
  @IsString()
  @Described('Type of account', 'individual')
  readonly accountType?: string;

  @Optional()
  @IsString()
  @Described('Bank', 'Starling Bank')
  readonly bankName?: string;

  @Optional()
  @IsString()
  @Described('Country, two lower-case letters', 'gb')
  readonly country?: string;
}

/** A payment source in a response. */
export type MaskedSourceBody = MaskedBankCard | MaskedBankAccount;

const [CARD, ACCOUNT] = [MaskedBankCard, MaskedBankAccount].map(({ name }) => `${SCHEMA_PREFIX}${name}`);

/** The schema of a source in a response. */
export const MASKED_SOURCE = {
  oneOf: [{ $ref: CARD }, { $ref: ACCOUNT }],
  discriminator: { propertyName: 'object', mapping: { card: CARD, bank_account: ACCOUNT } },
};
