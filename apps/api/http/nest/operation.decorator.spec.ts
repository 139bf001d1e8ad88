import { describe, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import type { OperationRequest } from '../call.js';
import type { OperationRecord } from '../operation.js';
import { shapeOf } from '../validation/shape.js';
import { Described } from '../validation/rules.js';
import { GET_PET } from './operation.fixtures.js';
import { Operation, operationsOf } from './operation.decorator.js';

class Name {
  @Described('The name')
  readonly name!: string;
}
class Age {
  @Described('The age in months')
  readonly ageMonths!: number;
}

const NAME_PET = { ...GET_PET, id: 'namePet', method: 'POST', body: shapeOf(Name) } as const;

@Controller()
class PetsController {
  @Operation(GET_PET)
  async get(): Promise<void> {}

  @Operation(NAME_PET)
  async name(_: OperationRequest<{ body: Name }>): Promise<void> {}

  helper(): void {}
}

describe('the operations of a controller', () => {
  it('are the records in the decorators of its methods, by their ids', () =>
    expect(operationsOf([PetsController])).toEqual({ getPet: GET_PET, namePet: NAME_PET }));

  it('have unique ids', () => {
    @Controller()
    class MorePetsController {
      @Operation(GET_PET)
      async get(): Promise<void> {}
    }
    expect(() => operationsOf([PetsController, MorePetsController])).toThrow('two operations have the id getPet');
  });
});

/** `npm run check` fails if one of these decorators compiles. */
export class NotCompiling {
  // @ts-expect-error -- the method takes another body than the record reads
  @Operation(NAME_PET)
  async otherBody(_: OperationRequest<{ body: Age }>): Promise<void> {}

  // @ts-expect-error -- the method takes a body, and the record reads none
  @Operation(GET_PET)
  async noBody(_: OperationRequest<{ body: Name }>): Promise<void> {}

  // @ts-expect-error -- the method takes a query, and the record reads none
  @Operation(GET_PET)
  async noQuery(_: OperationRequest<{ query: Name }>): Promise<void> {}

  // @ts-expect-error -- the method returns no promise
  @Operation(GET_PET)
  atOnce(): void {}
}

const { access: _access, ...WITHOUT_ACCESS } = GET_PET;
// @ts-expect-error -- a record must have an access
export const RECORD_WITHOUT_ACCESS: OperationRecord = WITHOUT_ACCESS;
