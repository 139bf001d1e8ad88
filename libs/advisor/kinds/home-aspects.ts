import { aspect, type AspectText } from './aspect.js';

/** What the home and the people ask of a pet. Texts are cautious: they hold for most animals of a kind. */
export const HOME_ASPECTS = {
  away: aspect(
    'copes better with a working day alone',
    '{Many} should not be alone for a whole working day: somebody must come in between.',
    '{Many} do badly alone for a whole working day. Company of their kind, and somebody who looks in, help.',
    '{Many} can be alone for a working day if they have company of their kind, or are adult and used to it.',
    '{Many} do not mind a working day alone.',
  ),
  flat: aspect(
    'gets along better with a flat',
    '{Many} need more room or exercise than a flat offers.',
    '{Many} are hard to keep well in a flat: they need much exercise or room outside it.',
    '{Many} can live in a flat if they get enough room and exercise.',
    '{Many} can live well in a flat.',
  ),
  stairs: aspect(
    'copes better with stairs',
    'Stairs are dangerous for {many}.',
    'Stairs are hard on {many}: you carry them while they are young, old or ill.',
    'Healthy adult {many} manage stairs, but you must be able to carry them.',
    'Stairs do not matter for {many}.',
  ),
  heat: aspect(
    'copes better with heat',
    '{Many} suffer badly in heat and can die of heat stroke, so they need cool rooms and walks in the early morning and late evening.',
    '{Many} suffer in heat, and need shade, water and a cool room in summer.',
    '{Many} cope with warm weather if they have shade, water and rest at midday.',
    '{Many} cope well with heat.',
  ),
  cold: aspect(
    'copes better with cold',
    '{Many} need warmth, and must not get cold.',
    '{Many} need a warm home in winter.',
    '{Many} cope with cold for a while, but sleep indoors.',
    '{Many} cope well with cold.',
  ),
  toddler: aspect(
    'fits better with a small child',
    '{Many} do not fit with a baby or a toddler.',
    '{Many} are easily hurt or frightened by a toddler, so they are only to watch.',
    '{Many} can live with a baby or a toddler, but never leave them alone together, and ask whether you have time for both.',
    '{Many} can live with a toddler, but never leave them alone together.',
  ),
  child: aspect(
    'suits a child better',
    '{Many} are no pets for a child.',
    '{Many} are rather to watch for a child: an adult handles them.',
    '{Many} suit a calm child if an adult helps and carries the responsibility.',
    '{Many} suit a child well, if an adult carries the responsibility.',
  ),
  senior: aspect(
    'is easier for an older person',
    '{Many} are too demanding for most older people.',
    '{Many} are demanding for an older person: think of strength, and of who takes over.',
    '{Many} can suit an older person, if somebody helps when it is needed.',
    '{Many} suit most older people: they are company and need little strength.',
  ),
  cats: aspect(
    'gets along better with a cat',
    'Cats hunt animals such as {many}. They are safe only in a closed room or enclosure that the cat cannot reach, and even the sight of a cat frightens them.',
    '{Many} and cats are kept apart: leave them together only under watch, if at all.',
    '{Many} can live with a cat after a slow introduction, with a door between them at first.',
    '{Many} usually get along with cats.',
  ),
  dogs: aspect(
    'gets along better with a dog',
    'Many dogs hunt animals such as {many}, so keep them in separate rooms.',
    '{Many} are safe from a dog only behind a closed door or in a secure enclosure, and never alone with it.',
    '{Many} can live with a dog after a slow introduction, with a lead on the dog at first.',
    '{Many} usually get along with dogs.',
  ),
  small: aspect(
    'is less of a danger to small animals',
    '{Many} hunt rabbits, rodents and birds, so keep them apart behind a closed door.',
    '{Many} can live in the same home as other small animals, but not in the same enclosure.',
    '{Many} can live in the same home as other small animals, each kind in its own place.',
    '{Many} are no danger to other small animals.',
  ),
} as const satisfies Readonly<Record<string, AspectText>>;
