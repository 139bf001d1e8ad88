import 'reflect-metadata';
import { createRequire } from 'node:module';
import { getMetadataStorage, ValidationTypes, type ValidatorConstraintInterface } from 'class-validator';

/** A class with decorators that describe a request or a response. */
export type Dto<T extends object = object> = new () => T;

/** A validation rule that a decorator declares for a property. */
export type RuleMetadata = {
  readonly name: string;
  readonly property: string;
  /** The arguments of the rule, such as the minimum or the allowed values. */
  readonly args: readonly unknown[];
  /** Whether the rule applies to each item of a list. */
  readonly each: boolean;
  readonly message: string | undefined;
  readonly isMet: (value: unknown) => boolean;
};

/** Returns whether null means that a property is absent: it may be absent, and null does not remove its value (contract 3.8). */
export const isNullAbsence = (dto: Dto, property: string): boolean => {
  const conditions = getMetadataStorage()
    .getTargetValidationMetadatas(dto, '', false, false)
    .filter(({ propertyName, type }) => propertyName === property && type === ValidationTypes.CONDITIONAL_VALIDATION)
    .map(({ constraints: [isValidated] }) => isValidated as (object: object, value: unknown) => boolean);
  return conditions.some((isValidated) => !isValidated({}, undefined)) && conditions.every((isValidated) => isValidated({}, null));
};

type TypeStorage = { findTypeMetadata(target: object, property: string): { typeFunction(): Dto } | undefined };

const require = createRequire(import.meta.url);
/** The storage of the decorators `@Type`, which name the classes of nested objects. class-transformer does not export it. */
export const typeStorage = (require('class-transformer/cjs/storage') as { defaultMetadataStorage: TypeStorage }).defaultMetadataStorage;

/** Returns every rule of a class and its ancestors. */
export const rulesOf = (dto: Dto): readonly RuleMetadata[] => {
  const storage = getMetadataStorage();
  return storage
    .getTargetValidationMetadatas(dto, '', false, false)
    .map(({ name, type, propertyName, constraints, each, message, constraintCls }) => {
      const [constraint] = constraintCls ? storage.getTargetValidatorConstraints(constraintCls) : [];
      const rule = constraint?.instance as ValidatorConstraintInterface | undefined;
      const args: readonly unknown[] = constraints ?? [];
      return {
        name: constraint?.name ?? name ?? type,
        property: propertyName,
        args,
        each: each ?? false,
        message: typeof message === 'string' ? message : undefined,
        isMet: (value) =>
          rule?.validate(value, { value, constraints: [...args], targetName: '', object: {}, property: propertyName }) === true,
      };
    });
};

/** Returns the DTO class of a property that is a nested object or a list of nested objects. Otherwise returns undefined. */
export const nestedDto = (dto: Dto, property: string): Dto | undefined => typeStorage.findTypeMetadata(dto, property)?.typeFunction();

/** Returns the names of a class's properties. */
export const propertiesOf = (dto: Dto): readonly string[] => [...new Set(rulesOf(dto).map(({ property }) => property))];

/** Returns the maximum number of items of a list, or undefined if the list has no limit. */
export const maxItemsOf = (dto: Dto, property: string): number | undefined => {
  const limit = rulesOf(dto).find((rule) => rule.property === property && rule.name === 'arrayMaxSize')?.args[0];
  return limit === undefined ? undefined : Number(limit);
};
