import { IsArray, IsBoolean, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import type { AccountWithStatus } from '../../../../libs/application/users/user.queries.js';
import { Links, Pagination } from '../../http/collection.dto.js';
import { PageQuery } from '../../http/collection.dto.js';
import { Characters, Described, Documented, Nested, Optional, Schema } from '../../http/validation/rules.js';
import { UserRequest, User } from '../../users/user.dto.js';

/** The query parameters of the list of accounts. */
@Documented('The requested accounts')
export class AccountQuery extends PageQuery {
  @Optional()
  @Characters(1, 254)
  @Described('Only the account with this username', 'ann')
  readonly username?: string;
}

/** The body with which an operator creates an account. */
@Documented('A new account')
export class AccountRequest extends UserRequest {
  @Optional()
  @IsBoolean()
  @Schema({ description: 'Whether the account has the role of staff', default: false, examples: [true] })
  readonly staff?: boolean;
}

/** The body of a change of the password. */
@Documented('A new password')
export class NewPassword {
  @Characters(8, 128)
  @Schema({
    writeOnly: true,
    description: 'The password. It is stored only as a hash (argon2id), and is never returned',
    examples: ['correct horse battery'],
  })
  readonly password!: string;
}

/** An account in a response to an operator. */
@Documented('An account with its status')
export class Account extends User {
  @IsBoolean()
  @Described('Whether the account has the role of staff', false)
  readonly staff!: boolean;

  @IsBoolean()
  @Described('Whether the account is disabled. Nobody can sign in to a disabled account', false)
  readonly disabled!: boolean;
}

/** A page of accounts. */
@Documented('A page of accounts with their status')
export class AccountCollection {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Account)
  @Described('The accounts on this page, newest first')
  readonly data!: readonly Account[];

  @Nested(() => Pagination)
  readonly pagination!: Pagination;

  @Nested(() => Links)
  readonly links!: Links;
}

/** Returns the JSON of an account for operators: with `staff` and `disabled`. */
export const accountJson = ({ json, isStaff, isDisabled }: Pick<AccountWithStatus, 'json' | 'isStaff' | 'isDisabled'>): string =>
  JSON.stringify({ ...(JSON.parse(json) as User), staff: isStaff, disabled: isDisabled } satisfies Account);
