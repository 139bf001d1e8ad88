import { Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsObject,
  IsString,
  Matches,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { isCurrency } from '../../../../libs/domain/currencies.js';
import { EMAIL, EMAIL_WORDING, ONE_LINE, ONE_LINE_WORDING } from '../patterns.js';
import {
  hasCharacters,
  hasShortMailbox,
  isCalendarDate,
  isCardNumber,
  isHttpUri,
  isDateTime,
  isFreeText,
  isUnmixed,
  isVisible,
  isWellFormed,
} from './formats.js';

type ForEach = { readonly each?: boolean };

/** The names of rules that class-validator does not have. */
export const CHARACTERS = 'characters';
export const WELL_FORMED = 'wellFormed';
export const FREE_TEXT = 'freeText';
export const VISIBLE = 'visible';
export const UNMIXED = 'unmixed';
export const SHORT_MAILBOX = 'shortMailbox';
export const CALENDAR_DATE = 'calendarDate';
export const DATE_TIME = 'dateTime';
export const HTTP_URI = 'httpUri';
export const CURRENCY_CODE = 'currencyCode';
export const CARD_NUMBER = 'cardNumber';

/** The property may be absent. In a request, null is absence: it is removed before the validation (contract 3.8). */
export const Optional = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** The property may be absent. In a change, null removes its value (contract 30.4). */
export const Removable = (): PropertyDecorator =>
  all(
    ValidateIf((_, value) => value !== undefined && value !== null),
    Schema({ type: ['string', 'null'] }),
  );

/** The property is read-only: any value passes and is ignored (contract 3.9). */
export const ReadOnly = (description: string): PropertyDecorator => all(Allow(), Optional(), Schema({ readOnly: true, description }));

/** Several decorators as one. They apply in this order, and errors have the order in which rules apply. */
export const all =
  (...decorators: readonly PropertyDecorator[]): PropertyDecorator =>
  (target, property) =>
    decorators.forEach((decorate) => decorate(target, property));

/** A free text of `min` to `max` characters (contract 3.3). */
export const FreeText = (min: number, max: number): PropertyDecorator =>
  all(
    IsString(),
    textRule(CHARACTERS, (text) => hasCharacters(text, min, max), {}, [min, max]),
    textRule(FREE_TEXT, isFreeText),
  );

/** A text of `min` to `max` characters of any kind, such as a password. */
export const Characters = (min: number, max: number, { each = false }: ForEach = {}): PropertyDecorator =>
  all(
    IsString({ each }),
    textRule(CHARACTERS, (text) => hasCharacters(text, min, max), { each }, [min, max]),
    textRule(WELL_FORMED, isWellFormed, { each }),
  );

/** A text of `min` to `max` visible characters (contract 30.2). */
export const VisibleCharacters = (min: number, max: number): PropertyDecorator =>
  all(
    IsString(),
    textRule(CHARACTERS, (text) => hasCharacters(text, min, max), {}, [min, max]),
    textRule(VISIBLE, isVisible),
  );

/** As VisibleCharacters, but the text must not mix the Latin, Greek and Cyrillic alphabets (contract 30.2). */
export const UnmixedCharacters = (min: number, max: number): PropertyDecorator =>
  all(
    IsString(),
    textRule(CHARACTERS, (text) => hasCharacters(text, min, max), {}, [min, max]),
    textRule(UNMIXED, isUnmixed),
  );

/** One line of `min` to `max` characters (contract 3.3). */
export const OneLine = (min: number, max: number): PropertyDecorator =>
  all(Characters(min, max), Matches(ONE_LINE, { message: ONE_LINE_WORDING }));

/** The email address of a person (contract 30.1). */
export const EmailAddress = (): PropertyDecorator =>
  all(VisibleCharacters(3, 254), Matches(EMAIL, { message: EMAIL_WORDING }), textRule(SHORT_MAILBOX, hasShortMailbox));

/** A text with a calendar date, such as 2026-01-31. */
export const CalendarDate = (): PropertyDecorator => all(IsString(), textRule(CALENDAR_DATE, isCalendarDate));

/** A text with a date, a time and its offset, such as 2026-01-31T12:00:00Z. */
export const DateTime = (): PropertyDecorator => all(IsString(), textRule(DATE_TIME, isDateTime));

/** An absolute http or https URI (contract 3.3). */
export const HttpUri = (options: ForEach = {}): PropertyDecorator =>
  all(IsString({ each: options.each ?? false }), textRule(HTTP_URI, isHttpUri, options));

/** A current ISO 4217 currency code. Its canonical form is upper case. */
export const CurrencyCode = (): PropertyDecorator => all(IsString(), textRule(CURRENCY_CODE, isCurrency));

/** A card number with a valid check digit. */
export const CardNumber = (): PropertyDecorator => all(IsString(), textRule(CARD_NUMBER, isCardNumber));

/** An object of another DTO class. */
export const Nested = (dto: () => new () => object): PropertyDecorator => all(IsObject(), ValidateNested(), Type(dto));

/** A list of `min` to `max` objects of another DTO class. */
export const NestedList = (dto: () => new () => object, min: number, max: number): PropertyDecorator =>
  all(IsArray(), ArrayMinSize(min), ArrayMaxSize(max), IsObject({ each: true }), ValidateNested({ each: true }), Type(dto));

/** Creates a rule about texts. Its default message is never sent, because wording.ts has the messages. */
const textRule = (
  name: string,
  isMet: (text: string) => boolean,
  { each = false }: ForEach = {},
  constraints: readonly unknown[] = [],
): PropertyDecorator =>
  ValidateBy(
    {
      name,
      constraints: [...constraints],
      validator: { validate: (value: unknown) => typeof value === 'string' && isMet(value), defaultMessage: () => name },
    },
    { each },
  );

/** Adds keywords to the JSON Schema of a property, besides those that derive from its rules. */
export const Schema = (schema: Readonly<Record<string, unknown>>): PropertyDecorator => JSONSchema(schema) as PropertyDecorator;

/** Sets the description of a class in the OpenAPI document, and further keywords of its schema. */
export const Documented = (description: string, title?: string, keywords: Readonly<Record<string, unknown>> = {}): ClassDecorator =>
  JSONSchema({ ...(title !== undefined && { title }), description, ...keywords });

/** Sets the description and examples of a property in the OpenAPI document. */
export const Described = (description: string, ...examples: readonly unknown[]): PropertyDecorator =>
  Schema({ description, ...(examples.length > 0 && { examples }) });
