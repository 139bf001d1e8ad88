import { Type } from 'class-transformer';
import { Allow, IsObject, IsString, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { isCurrency } from '../../../../libs/domain/currencies.js';
import { hasCharacters, isCalendarDate, isCardNumber, isHttpUri, isMoment, isWellFormed } from './formats.js';

type ForEach = { readonly each?: boolean };

/** Rules that class-validator does not bring, by the name under which errors and schemas know them. */
export const CHARACTERS = 'characters';
export const WELL_FORMED = 'wellFormed';
export const CALENDAR_DATE = 'calendarDate';
export const MOMENT = 'moment';
export const HTTP_URI = 'httpUri';
export const CURRENCY_CODE = 'currencyCode';
export const CARD_NUMBER = 'cardNumber';

/** May be absent. Unlike IsOptional it lets no null pass: "null counts as wrong type". */
export const Optional = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** "Read-only fields … sent in a body are ignored, so that GET, edit, PUT works": any value passes and is not looked at. */
export const ReadOnly = (description: string): PropertyDecorator => all(Allow(), Optional(), Schema({ readOnly: true, description }));

const all =
  (...decorators: readonly PropertyDecorator[]): PropertyDecorator =>
  (target, property) =>
    decorators.forEach((decorate) => decorate(target, property));

/** Text of `min` to `max` characters. */
export const Characters = (min: number, max: number, { each = false }: ForEach = {}): PropertyDecorator =>
  all(
    IsString({ each }),
    textRule(CHARACTERS, (text) => hasCharacters(text, min, max), { each }, [min, max]),
    textRule(WELL_FORMED, isWellFormed, { each }),
  );

/** Text in the form of a real calendar date, as 2026-01-31. */
export const CalendarDate = (): PropertyDecorator => all(IsString(), textRule(CALENDAR_DATE, isCalendarDate));

/** Text in the form of a date and time with its offset, as 2026-01-31T12:00:00Z. */
export const Moment = (): PropertyDecorator => all(IsString(), textRule(MOMENT, isMoment));

/** An absolute http or https address. */
export const HttpUri = (options: ForEach = {}): PropertyDecorator =>
  all(IsString({ each: options.each ?? false }), textRule(HTTP_URI, isHttpUri, options));

/** A currency that can be paid in (ISO 4217), in upper case once canonical. */
export const CurrencyCode = (): PropertyDecorator => all(IsString(), textRule(CURRENCY_CODE, isCurrency));

/** A card's number, with a right check digit. */
export const CardNumber = (): PropertyDecorator => all(IsString(), textRule(CARD_NUMBER, isCardNumber));

/** An object of another DTO class. */
export const Nested = (dto: () => new () => object): PropertyDecorator => all(IsObject(), ValidateNested(), Type(dto));

const textRule = (
  name: string,
  holds: (text: string) => boolean,
  { each = false }: ForEach = {},
  constraints: readonly unknown[] = [],
): PropertyDecorator =>
  ValidateBy(
    {
      name,
      constraints: [...constraints],
      validator: { validate: (value: unknown) => typeof value === 'string' && holds(value), defaultMessage: () => name },
    },
    { each },
  );

/** Adds to a property's JSON Schema, which follows from its rules, what they cannot say. */
export const Schema = (schema: Readonly<Record<string, unknown>>): PropertyDecorator => JSONSchema(schema) as PropertyDecorator;

/** What a class is, for readers of the interface description; `title` where the contract has one for it. */
export const Documented = (description: string, title?: string): ClassDecorator =>
  JSONSchema({ ...(title !== undefined && { title }), description });

/** What a property means, with an example, for readers of the interface description. */
export const Described = (description: string, ...examples: readonly unknown[]): PropertyDecorator =>
  Schema({ description, ...(examples.length > 0 && { examples }) });
