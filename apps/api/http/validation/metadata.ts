import 'reflect-metadata';
import { createRequire } from 'node:module';
import { getMetadataStorage, type ValidatorConstraintInterface } from 'class-validator';

/** A class whose decorators say what may come in or goes out. */
export type Dto<T extends object = object> = new () => T;

/** One rule of one property, as declared. */
export type RuleMetadata = {
  readonly name: string;
  readonly property: string;
  /** The rule's arguments: the minimum, the allowed values. */
  readonly args: readonly unknown[];
  /** The rule holds for each item of a list. */
  readonly each: boolean;
  readonly message: string | undefined;
  readonly holds: (value: unknown) => boolean;
};

type TypeStorage = { findTypeMetadata(target: object, property: string): { typeFunction(): Dto } | undefined };

/** class-transformer keeps its storage to itself; where `@Type` wrote is where nested classes are found. */
const require = createRequire(import.meta.url);
export const typeStorage = (require('class-transformer/cjs/storage') as { defaultMetadataStorage: TypeStorage }).defaultMetadataStorage;

/** Every rule of a class and its ancestors. */
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
        holds: (value) =>
          rule?.validate(value, { value, constraints: [...args], targetName: '', object: {}, property: propertyName }) === true,
      };
    });
};

/** The class of a nested property, if it has one. */
export const nestedDto = (dto: Dto, property: string): Dto | undefined => typeStorage.findTypeMetadata(dto, property)?.typeFunction();

/** The names of a class's properties. */
export const propertiesOf = (dto: Dto): readonly string[] => [...new Set(rulesOf(dto).map(({ property }) => property))];

/** How many items a list may hold; undefined where any number may. */
export const longestList = (dto: Dto, property: string): number | undefined => {
  const limit = rulesOf(dto).find((rule) => rule.property === property && rule.name === 'arrayMaxSize')?.args[0];
  return limit === undefined ? undefined : Number(limit);
};
