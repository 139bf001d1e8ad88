import { ArrayMaxSize, ArrayUnique, IsArray, IsBoolean, IsIn, IsString, Matches, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { OPS, SCOPES } from '../http/admission/access.js';
import { Links, Pagination } from '../http/collection.dto.js';
import { all, Characters, DateTime, Described, Documented, Nested, OneLine, Optional, ReadOnly, Schema } from '../http/validation/rules.js';

/**
 * Matches a redirect URI (contract 32.4): https, http on a loopback address, or the scheme of an app, which has a dot
 * (RFC 8252, 7.1). Comparisons of some URIs would be ambiguous, so these do not match: a URI with a fragment or a wildcard,
 * and an http or https URI with a user name.
 */
const REDIRECT_URI =
  /^(?:https:\/\/(?:[a-z0-9-]+\.)*[a-z0-9-]+(?::\d{1,5})?|http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?|[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:)(?:[/?][!$-)+-Z\[\]-~]*)?$/u;
const REDIRECT_URI_WORDING =
  'must be an https URI, an http URI on 127.0.0.1, [::1] or localhost, or an app URI such as com.example.app:/signed-in, and have no fragment or wildcard';

const NAME_MEANING = 'The name that people see when they sign in';
const URIS_MEANING =
  'The URIs to which browsers return after the sign-in. They are compared as text, but the port of a loopback address is ignored';
const LOGOUT_URIS_MEANING = 'The URIs to which browsers may return after a person has signed out of the client. They are compared as text';
const PROGRAM_MEANING = 'Whether the client is a program, which gets tokens for itself by its secret and signs nobody in';
const SCOPES_MEANING = 'The scopes that the tokens of a program may have. Only a program has scopes';
const DEVICE_MEANING = 'Whether the client may sign people in with a device code';
const CONFIDENTIAL_MEANING = 'Whether the client has a secret';
const IMPLICIT_MEANING =
  'Whether the client may use the implicit flow. The flow is available only if the setting CLASSIC_IMPLICIT_FLOW is on';

/** The scopes of the operations, which a program may have. */
const API_SCOPES = [...Object.keys(SCOPES), OPS];

/** A list of URIs to which browsers return. The errors of its items come before those of the list. */
const RedirectUris = (meaning: string, example: readonly string[]): PropertyDecorator =>
  all(
    Described(meaning, example),
    Matches(REDIRECT_URI, { each: true, message: REDIRECT_URI_WORDING }),
    Characters(1, 500, { each: true }),
    ArrayUnique(),
    ArrayMaxSize(20),
    IsArray(),
    Optional(),
  );

/** Generators for Java write code for a set of listed values that does not compile, so the document describes a list. */
const ScopesSchema = (): PropertyDecorator =>
  Schema({ description: `${SCOPES_MEANING}. Each at most once`, examples: [['write:pets']], documented: { uniqueItems: undefined } });

/** The scopes of a program. The errors of the items come before those of the list. */
const ProgramScopes = (): PropertyDecorator => all(ScopesSchema(), IsIn(API_SCOPES, { each: true }), ArrayUnique(), IsArray(), Optional());

/** The body of the registration of a client. */
@Documented('An OAuth client to register. The client uses redirect URIs, device codes, or both, or is a program')
export class ClientRequest {
  @OneLine(1, 100)
  @Described(NAME_MEANING, 'Pet Finder')
  readonly name!: string;

  @RedirectUris(URIS_MEANING, ['https://finder.example.com/signed-in'])
  readonly redirectUris?: readonly string[];

  @RedirectUris(LOGOUT_URIS_MEANING, ['https://finder.example.com/signed-out'])
  readonly postLogoutRedirectUris?: readonly string[];

  @Optional()
  @IsBoolean()
  @Schema({ description: DEVICE_MEANING, default: false, examples: [false] })
  readonly device?: boolean;

  @Optional()
  @IsBoolean()
  @Schema({ description: CONFIDENTIAL_MEANING, default: false, examples: [true] })
  readonly confidential?: boolean;

  @Optional()
  @IsBoolean()
  @Schema({ description: IMPLICIT_MEANING, default: false, examples: [false] })
  readonly implicit?: boolean;

  @Optional()
  @IsBoolean()
  @Schema({ description: PROGRAM_MEANING, default: false, examples: [false] })
  readonly program?: boolean;

  @ProgramScopes()
  readonly scopes?: readonly string[];

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly id?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly secret?: unknown;

  @ReadOnly('The tenant of the request; a value in the body is ignored')
  readonly tenantId?: unknown;

  @ReadOnly('Set by the service. A value in a request is ignored')
  readonly createdAt?: unknown;
}

/** The body of a change of a client. */
@Documented('The terms of a client to change. An absent term stays as it is')
export class ClientChanges {
  @RedirectUris(URIS_MEANING, ['https://finder.example.com/signed-in'])
  readonly redirectUris?: readonly string[];

  @RedirectUris(LOGOUT_URIS_MEANING, ['https://finder.example.com/signed-out'])
  readonly postLogoutRedirectUris?: readonly string[];

  @ProgramScopes()
  readonly scopes?: readonly string[];
}

/** A client in a response. */
@Documented('A client of the authorization server')
export class OauthClient {
  @IsString()
  @Schema({ format: 'uuid', readOnly: true, description: 'Set by the service' })
  readonly id!: string;

  @Optional()
  @IsString()
  @Schema({ format: 'uuid', readOnly: true, description: 'The tenant whose accounts sign in with the client; absent for the shared pool' })
  readonly tenantId?: string;

  @IsString()
  @Described(NAME_MEANING, 'Pet Finder')
  readonly name!: string;

  @IsArray()
  @IsString({ each: true })
  @Described(URIS_MEANING, ['https://finder.example.com/signed-in'])
  readonly redirectUris!: readonly string[];

  @IsArray()
  @IsString({ each: true })
  @Described(LOGOUT_URIS_MEANING, ['https://finder.example.com/signed-out'])
  readonly postLogoutRedirectUris!: readonly string[];

  @IsBoolean()
  @Described(DEVICE_MEANING, false)
  readonly device!: boolean;

  @IsBoolean()
  @Described(CONFIDENTIAL_MEANING, true)
  readonly confidential!: boolean;

  @IsBoolean()
  @Described(IMPLICIT_MEANING, false)
  readonly implicit!: boolean;

  @IsBoolean()
  @Described(PROGRAM_MEANING, false)
  readonly program!: boolean;

  @IsArray()
  @IsString({ each: true })
  @Described(SCOPES_MEANING, ['write:pets'])
  readonly scopes!: readonly string[];

  @DateTime()
  @Schema({ description: 'When the client was registered', readOnly: true })
  readonly createdAt!: string;
}

/** The response to a registration. */
@Documented('A registered client, with its secret')
export class RegisteredClient extends OauthClient {
  @Optional()
  @IsString()
  @Schema({
    readOnly: true,
    description: 'The secret of a confidential client; absent for other clients. Only this response shows the secret',
  })
  readonly secret?: string;
}

/** The response to a rotation of a secret. */
@Documented('A client, with its new secret')
export class RotatedClient extends OauthClient {
  @Optional()
  @IsString()
  @Schema({ readOnly: true, description: 'The new secret. Absent in a replayed response if the secret is no longer valid' })
  readonly secret?: string;

  @Optional()
  @DateTime()
  @Schema({ description: 'Until when the former secret is valid', readOnly: true })
  readonly formerSecretValidUntil?: string;
}

/** A page of clients. */
@Documented('A page of clients')
export class ClientCollection {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => OauthClient)
  @Described('The clients on this page, newest first')
  readonly data!: readonly OauthClient[];

  @Nested(() => Pagination)
  readonly pagination!: Pagination;

  @Nested(() => Links)
  readonly links!: Links;
}
