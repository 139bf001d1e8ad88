import { ArrayMaxSize, IsArray, IsBoolean, IsString, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import type { Session as StoredSession } from '../../../libs/application/sessions/sessions.js';
import { Links, Pagination } from '../http/collection.dto.js';
import { DateTime, Described, Documented, Nested, Optional, Schema } from '../http/validation/rules.js';

/** A session in a response. */
@Documented('A sign-in to an account. The session lasts until its tokens expire or are revoked')
export class Session {
  @IsString()
  @Schema({ format: 'uuid', readOnly: true, description: 'The id of the session' })
  readonly id!: string;

  @Optional()
  @IsString()
  @Described(
    'The id of the OAuth client of the sign-in. Absent if POST /v1/auth/tokens started the session',
    '0190a6b8-2d5b-7e10-9f4d-7b5e9a6c8d05',
  )
  readonly clientId?: string;

  @IsArray()
  @ArrayMaxSize(50)
  @IsString({ each: true })
  @Described('The scopes of the tokens of the session', ['read:pets', 'chat:write'])
  readonly scopes!: readonly string[];

  @DateTime()
  @Schema({ readOnly: true, description: 'When the account signed in' })
  readonly createdAt!: string;

  @DateTime()
  @Schema({ readOnly: true, description: 'When the session expires' })
  readonly expiresAt!: string;

  @IsBoolean()
  @Schema({ readOnly: true, description: 'Whether the request’s token belongs to this session' })
  readonly current!: boolean;
}

/** A page of sessions. */
@Documented('A page of sessions')
export class SessionCollection {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Session)
  @Described('The sessions on this page. The session that expires last is first')
  readonly data!: readonly Session[];

  @Nested(() => Pagination)
  readonly pagination!: Pagination;

  @Nested(() => Links)
  readonly links!: Links;
}

/** Returns the JSON of a session. `currentId` is the session of the request's token, or undefined if the token has none. */
export const sessionJson = ({ id, clientId, scopes, createdAt, expiresAt }: StoredSession, currentId: string | undefined): string =>
  JSON.stringify({ id, clientId, scopes, createdAt, expiresAt, current: id === currentId } satisfies { [K in keyof Session]: unknown });
