import { describe, expect, it } from '@jest/globals';
import { Controller, UseFilters, UseGuards, UseInterceptors, UsePipes, type Type } from '@nestjs/common';
import { AuditInterceptor, GET_PET, OwnerGuard, startupErrorOf, TeapotFilter, TrimPipe } from './enhancers.fixtures.js';
import { Operation } from './operation.decorator.js';

describe('a controller of operations', () => {
  it.each<[string, () => Type<object>, RegExp]>([
    [
      'a guard on the class',
      () => {
        @UseGuards(OwnerGuard)
        @Controller()
        class Pets {
          @Operation(GET_PET)
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets has the guard OwnerGuard, .*never run.*access in @Operation/,
    ],
    [
      'a guard on its base class',
      () => {
        @UseGuards(new OwnerGuard())
        class GuardedController {}
        @Controller()
        class Pets extends GuardedController {
          @Operation(GET_PET)
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets has the guard OwnerGuard, /,
    ],
    [
      'a guard on the method',
      () => {
        @Controller()
        class Pets {
          @Operation(GET_PET)
          @UseGuards(OwnerGuard)
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets\.get has the guard OwnerGuard, .*access in @Operation/,
    ],
    [
      'an interceptor on the class',
      () => {
        @UseInterceptors(AuditInterceptor)
        @Controller()
        class Pets {
          @Operation(GET_PET)
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets has the interceptor AuditInterceptor, /,
    ],
    [
      'an interceptor on the method',
      () => {
        @Controller()
        class Pets {
          @UseInterceptors(AuditInterceptor)
          @Operation(GET_PET)
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets\.get has the interceptor AuditInterceptor, .*apps\/api\/operation-routes\.ts/,
    ],
    [
      'a pipe on the class',
      () => {
        @UsePipes(TrimPipe)
        @Controller()
        class Pets {
          @Operation(GET_PET)
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets has the pipe TrimPipe, /,
    ],
    [
      'a pipe on the method',
      () => {
        @Controller()
        class Pets {
          @Operation(GET_PET)
          @UsePipes(new TrimPipe())
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets\.get has the pipe TrimPipe, .*validation\/rules\.ts/,
    ],
    [
      'a filter on the class',
      () => {
        @UseFilters(TeapotFilter)
        @Controller()
        class Pets {
          @Operation(GET_PET)
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets has the filter TeapotFilter, /,
    ],
    [
      'a filter on the method',
      () => {
        @Controller()
        class Pets {
          @Operation(GET_PET)
          @UseFilters(TeapotFilter)
          async get(): Promise<void> {}
        }
        return Pets;
      },
      /^Pets\.get has the filter TeapotFilter, .*failures\.ts/,
    ],
  ])('is rejected if it has %s, and the error names the class of the enhancer', (_, controller, message) =>
    expect(startupErrorOf(controller())).toMatch(message),
  );
});
