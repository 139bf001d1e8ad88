import { IsArray, IsString, Matches, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import type { PlainProfile, ProfileChanges } from '../../../libs/application/users/user.commands.js';
import { Links, Pagination } from '../http/collection.dto.js';
import { PHONE, PHONE_WORDING, USERNAME, USERNAME_WORDING } from '../http/patterns.js';
import { AS_SENT, inputOf, NOT_IN_INPUT } from '../http/validation/input-mapping.js';
import {
  Characters,
  DateTime,
  Described,
  Documented,
  EmailAddress,
  Nested,
  OneLine,
  Optional,
  ReadOnly,
  Removable,
  Schema,
  UnmixedCharacters,
} from '../http/validation/rules.js';

const USERNAME_MEANING =
  'The name for signing in. It is unique in its tenant, regardless of upper and lower case. It has only visible characters';
const EMAIL_MEANING = 'The email address. It is unique in its tenant, regardless of upper and lower case. It has only visible characters';
const PHONE_MEANING = 'The phone number: digits, spaces, plus signs, hyphens, parentheses and dots';
const PASSWORD = {
  writeOnly: true,
  description: 'The password. It is stored only as a hash (argon2id), and is never returned',
  examples: ['correct horse battery'],
};

/** The optional personal fields of an account, in requests. Bodies of the classic variant have these fields, too. */
export class PersonFields {
  @Optional()
  @OneLine(1, 100)
  @Described('The first name', 'Ann')
  readonly firstName?: string;

  @Optional()
  @OneLine(1, 100)
  @Described('The last name', 'Lee')
  readonly lastName?: string;

  @Optional()
  @IsString()
  @Matches(PHONE, { message: PHONE_WORDING })
  @Described(`${PHONE_MEANING}. An empty text counts as absent`, '+14155550123')
  readonly phone?: string;
}

/** The body of a registration. A body may repeat read-only fields, which are ignored (contract 3.9). */
@Documented('A new account')
export class UserRequest extends PersonFields {
  @UnmixedCharacters(3, 50)
  @Matches(USERNAME, { message: USERNAME_WORDING })
  @Described(USERNAME_MEANING, 'ann')
  readonly username!: string;

  @EmailAddress()
  @Described(EMAIL_MEANING, 'ann@example.com')
  readonly email!: string;

  @Characters(8, 128)
  @Schema(PASSWORD)
  readonly password!: string;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly id?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly createdAt?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly updatedAt?: unknown;
}

/** The body of a change. */
@Documented('The fields of an account to change')
export class UserChanges {
  @Optional()
  @UnmixedCharacters(3, 50)
  @Matches(USERNAME, { message: USERNAME_WORDING })
  @Described(USERNAME_MEANING, 'ann')
  readonly username?: string;

  @Optional()
  @EmailAddress()
  @Described(EMAIL_MEANING, 'ann@example.com')
  readonly email?: string;

  @Optional()
  @Characters(8, 128)
  @Schema(PASSWORD)
  readonly password?: string;

  @Removable()
  @OneLine(1, 100)
  @Described('The first name. null removes it', 'Ann')
  readonly firstName?: string | null;

  @Removable()
  @OneLine(1, 100)
  @Described('The last name. null removes it', 'Lee')
  readonly lastName?: string | null;

  @Removable()
  @IsString()
  @Matches(PHONE, { message: PHONE_WORDING })
  @Described(`${PHONE_MEANING}. An empty text counts as absent. null removes it`, '+14155550123')
  readonly phone?: string | null;

  @ReadOnly('If the body has an id, it must be the id in the path')
  readonly id?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly createdAt?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly updatedAt?: unknown;
}

/** An account in a response. */
@Documented('An account')
export class User {
  @IsString()
  @Schema({ format: 'uuid', readOnly: true, description: 'Set by the service' })
  readonly id!: string;

  @IsString()
  @Described(USERNAME_MEANING, 'ann')
  readonly username!: string;

  @Optional()
  @IsString()
  @Described('The first name', 'Ann')
  readonly firstName?: string;

  @Optional()
  @IsString()
  @Described('The last name', 'Lee')
  readonly lastName?: string;

  @IsString()
  @Described(EMAIL_MEANING, 'ann@example.com')
  readonly email!: string;

  @Optional()
  @IsString()
  @Described(PHONE_MEANING, '+14155550123')
  readonly phone?: string;

  @DateTime()
  @Schema({ description: 'When the account was created', readOnly: true })
  readonly createdAt!: string;

  @DateTime()
  @Schema({ description: 'When the account last changed', readOnly: true })
  readonly updatedAt!: string;
}

/** A page of accounts. */
@Documented('A page of accounts')
export class UserCollection {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => User)
  @Described('The accounts on this page, newest first')
  readonly data!: readonly User[];

  @Nested(() => Pagination)
  readonly pagination!: Pagination;

  @Nested(() => Links)
  readonly links!: Links;
}

/** Returns the phone number of a body. An empty one counts as absent (contract 30.1). */
export const phoneOf = <Phone extends string | null | undefined>({ phone }: { readonly phone?: Phone }): Phone | undefined =>
  phone === '' ? undefined : phone;

const PROFILE = {
  username: AS_SENT,
  email: AS_SENT,
  firstName: AS_SENT,
  lastName: AS_SENT,
  phone: phoneOf,
  password: NOT_IN_INPUT,
} as const;

/** Maps the body to the profile of a new account. The password is another argument of the command. */
export const newUserProfile = inputOf<UserRequest, PlainProfile>(PROFILE);

/** Maps the body to the changed values of a profile. The password is another argument of the command. */
export const changedProfile = inputOf<UserChanges, ProfileChanges>(PROFILE);
