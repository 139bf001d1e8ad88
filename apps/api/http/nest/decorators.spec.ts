import { describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  createParamDecorator,
  Get,
  Header,
  HttpCode,
  Param,
  ParseUUIDPipe,
  Query,
  Scope,
  UseGuards,
  type Type,
} from '@nestjs/common';
import { GET_PET, OwnerGuard, startupErrorOf, TrimPipe } from './enhancers.fixtures.js';
import { Operation } from './operation.decorator.js';

const Caller = createParamDecorator(() => 'ann');

describe('a controller of operations', () => {
  it.each<[string, () => Type<object>, RegExp]>([
    [
      '@Body()',
      () => {
        @Controller()
        class Pets {
          @Operation(GET_PET)
          async create(@Body() _body: unknown): Promise<void> {}
        }
        return Pets;
      },
      /^Pets\.create has the parameter decorator @Body\(\), .*request\.call/,
    ],
    [
      '@Param() with a pipe',
      () => {
        @Controller()
        class Pets {
          @Operation(GET_PET)
          async get(_request: unknown, @Param('id', ParseUUIDPipe) _id: unknown): Promise<void> {}
        }
        return Pets;
      },
      /^Pets\.get has the parameter decorator @Param\(\), /,
    ],
    [
      '@Query()',
      () => {
        @Controller()
        class Pets {
          @Operation(GET_PET)
          async list(@Query('page', TrimPipe) _page: unknown): Promise<void> {}
        }
        return Pets;
      },
      /^Pets\.list has the parameter decorator @Query\(\), /,
    ],
    [
      'a custom parameter decorator',
      () => {
        @Controller()
        class Pets {
          @Operation(GET_PET)
          async get(@Caller() _caller: unknown): Promise<void> {}
        }
        return Pets;
      },
      /^Pets\.get has a custom parameter decorator, /,
    ],
    [
      '@HttpCode()',
      () => {
        @Controller()
        class Pets {
          @Operation(GET_PET)
          @HttpCode(418)
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets\.get has @HttpCode\(\), .*reply/,
    ],
    [
      '@Header()',
      () => {
        @Controller()
        class Pets {
          @Operation(GET_PET)
          @Header('x-tea', 'pot')
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets\.get has @Header\(\), /,
    ],
    [
      'a host',
      () => {
        @Controller({ host: 'pets.example.com' })
        class Pets {
          @Operation(GET_PET)
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets has a host, /,
    ],
    [
      'a scope',
      () => {
        @Controller({ scope: Scope.REQUEST })
        class Pets {
          @Operation(GET_PET)
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets has a scope, /,
    ],
  ])('is rejected if it has %s, and the error names what to remove', (_, controller, message) =>
    expect(startupErrorOf(controller())).toMatch(message),
  );

  it('may have these decorators on methods that are not operations', () => {
    @Controller()
    class Pets {
      @Operation(GET_PET)
      async get(): Promise<void> {}

      @Get('elsewhere')
      @UseGuards(OwnerGuard)
      elsewhere(@Query('page') page: string): string {
        return page;
      }
    }
    expect(startupErrorOf(Pets)).toBeNull();
  });
});
