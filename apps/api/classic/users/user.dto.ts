import { IsInt, IsString, Matches, Max, Min } from 'class-validator';
import type { PlainProfile } from '../../../../libs/application/users/user.commands.js';
import type { NewUserInput } from '../../../../libs/application/users/lists/create-users.js';
import { INT32_MAX } from '../../http/collection.dto.js';
import { USERNAME, USERNAME_WORDING } from '../../http/patterns.js';
import { AS_SENT, inputOf, NOT_IN_INPUT } from '../../http/validation/input-mapping.js';
import {
  Characters,
  Described,
  Documented,
  Optional,
  ReadOnly,
  Schema,
  UnmixedCharacters,
  EmailAddress,
} from '../../http/validation/rules.js';
import { PersonFields, phoneOf } from '../../users/user.dto.js';

const PASSWORD = {
  writeOnly: true,
  description: 'The password. It is stored only as a hash, and is never returned',
  examples: ['correct horse battery'],
};
const USER_STATUS = { format: 'int32', description: 'A number that the service stores. The number has no effect', examples: [1] };

/** The optional members of a user, in requests. */
class ClassicUserFields extends PersonFields {
  @Optional()
  @IsInt()
  @Min(-INT32_MAX)
  @Max(INT32_MAX)
  @Schema(USER_STATUS)
  readonly userStatus?: number;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly id?: unknown;
}

@Documented('A new user', 'UserRequest')
export class NewClassicUser extends ClassicUserFields {
  @UnmixedCharacters(3, 50)
  @Matches(USERNAME, { message: USERNAME_WORDING })
  @Described('The name for signing in', 'ann')
  readonly username!: string;

  @EmailAddress()
  @Described('The email address', 'ann@example.com')
  readonly email!: string;

  @Characters(8, 128)
  @Schema(PASSWORD)
  readonly password!: string;
}

@Documented('The members of a user to change', 'UserChanges')
export class ClassicUserChanges extends ClassicUserFields {
  @Optional()
  @UnmixedCharacters(3, 50)
  @Matches(USERNAME, { message: USERNAME_WORDING })
  @Described('The name for signing in', 'ann')
  readonly username?: string;

  @Optional()
  @EmailAddress()
  @Described('The email address', 'ann@example.com')
  readonly email?: string;

  @Optional()
  @Characters(8, 128)
  @Schema(PASSWORD)
  readonly password?: string;
}

/** A user in a response. */
@Documented('A user', 'User')
export class ClassicUser {
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  @Schema({ format: 'int64', description: 'Set by the service', examples: [4503599627370498] })
  readonly id!: number;

  @IsString()
  @Described('The name for signing in', 'ann')
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
  @Described('The email address', 'ann@example.com')
  readonly email!: string;

  @Optional()
  @IsString()
  @Described('The phone number', '+14155550123')
  readonly phone?: string;

  @Optional()
  @IsInt()
  @Schema(USER_STATUS)
  readonly userStatus?: number;
}

@Documented('A username and its password', 'Login')
export class ClassicLogin {
  @Characters(1, 254)
  @Described('The username', 'ann')
  readonly username!: string;

  @Characters(1, 512)
  @Schema({ writeOnly: true, description: 'The password; never stored, never returned', examples: ['correct horse battery'] })
  readonly password!: string;
}

@Documented('A username and its password')
export class ClassicLoginQuery {
  @Characters(1, 254)
  @Schema({ type: 'string', description: 'The username', examples: ['ann'] })
  readonly username!: string;

  @Characters(1, 512)
  @Schema({ type: 'string', description: 'The password' })
  readonly password!: string;
}

const PROFILE = {
  username: AS_SENT,
  email: AS_SENT,
  firstName: AS_SENT,
  lastName: AS_SENT,
  phone: phoneOf,
  password: NOT_IN_INPUT,
  userStatus: NOT_IN_INPUT,
} as const;

const newProfile = inputOf<NewClassicUser, PlainProfile>(PROFILE);

/** Maps the body to the input of a new account. */
export const newUserInput = (body: NewClassicUser): NewUserInput => ({
  profile: newProfile(body),
  password: body.password,
  ...(body.userStatus !== undefined && { userStatus: body.userStatus }),
});

/** Maps the body to the changed values of a profile. The command takes password and userStatus as separate arguments. */
export const changedProfile = inputOf<ClassicUserChanges, Partial<PlainProfile>>(PROFILE);
