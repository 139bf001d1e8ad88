import type { Species } from '../../domain/pets/pet.events.js';

/** How well a kind of animal suits a circumstance: 0 not at all, 1 rather not, 2 on conditions, 3 well. */
export type Rank = 0 | 1 | 2 | 3;

/** What the guide says about an aspect. `{Many}` and `{many}` are replaced by the animals: "Rabbits", "rabbits". */
export type AspectText = {
  /** What the better one of two kinds does. */
  readonly better: string;
  /** One sentence for each rank, unless the kind has a sentence of its own. */
  readonly notes: readonly [string, string, string, string];
};

export const aspect = (better: string, ...notes: readonly [string, string, string, string]): AspectText => ({ better, notes });

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

/** What animals of a kind are like. Texts are cautious: they hold for most animals of a kind. */
export const TRAIT_ASPECTS = {
  costs: aspect(
    'usually costs less to keep',
    '{Many} are among the pets that cost most to keep: food, equipment, vet and care during holidays.',
    '{Many} cost a good deal to keep: food, equipment and vet.',
    '{Many} usually cost less to keep than dogs and cats, but equipment and vets cost money too.',
    '{Many} are among the cheapest pets to keep, but a vet can cost more than the animal.',
  ),
  night: aspect(
    'is more active at night',
    '{Many} sleep at night.',
    '{Many} are mostly awake by day.',
    '{Many} are most active at dusk and dawn.',
    '{Many} are awake in the evening and at night, and sleep by day.',
  ),
  day: aspect(
    'is more awake by day',
    '{Many} sleep by day, and should not be woken.',
    '{Many} sleep for most of the day.',
    '{Many} are awake for a part of the day.',
    '{Many} are awake by day.',
  ),
  plants: aspect(
    'eats more plants',
    '{Many} eat meat or insects, and cannot live on plants.',
    '{Many} eat plants and animal food.',
    '{Many} eat mostly seeds, greens and other plants.',
    '{Many} eat only plants.',
  ),
  nolive: aspect(
    'needs less live food',
    '{Many} eat live insects.',
    '{Many} eat insects beside other food.',
    '{Many} need no live food.',
    '{Many} need no live food.',
  ),
  quiet: aspect(
    'is usually quieter',
    '{Many} can be loud, so think of the neighbours.',
    '{Many} can be heard every day.',
    '{Many} are mostly quiet.',
    '{Many} make hardly a sound.',
  ),
  odour: aspect(
    'usually smells less',
    '{Many} have a strong smell of their own, which cleaning does not remove.',
    '{Many} smell somewhat, even when they are kept clean.',
    '{Many} smell little if their place is cleaned every day.',
    '{Many} hardly smell if their place is kept clean.',
  ),
  easy: aspect(
    'is easier to keep',
    '{Many} are for experienced keepers.',
    '{Many} are demanding for a beginner.',
    '{Many} suit a beginner who reads about them first.',
    '{Many} suit beginners.',
  ),
  effort: aspect(
    'needs less time and care',
    '{Many} need much time every day.',
    '{Many} need a good deal of time each day: food, cleaning, company.',
    '{Many} need some time each day, and little more once they have settled.',
    '{Many} need little time: food, water and a look each day, and regular cleaning.',
  ),
  cuddly: aspect(
    'is more likely to want cuddles',
    '{Many} are to watch, not to cuddle.',
    'Most {many} get used to hands, but few like to be held.',
    'Many {many} get tame, and some like to be stroked.',
    'Many {many} seek people and like to be stroked.',
  ),
  walks: aspect(
    'is the better partner for walks and runs',
    '{Many} do not go for walks.',
    '{Many} like short walks, but are no partners for running.',
    '{Many} like long walks. Build up running slowly, and not before they are grown.',
    '{Many} need much exercise, and can be running partners once they are grown.',
  ),
  nowalks: aspect(
    'needs fewer walks',
    '{Many} need walks every day, in any weather.',
    '{Many} need much room to run each day.',
    '{Many} need no walks, but time outside their cage.',
    '{Many} need no walks.',
  ),
  travel: aspect(
    'is easier to have looked after',
    '{Many} need a sitter who lives with them, or a boarding place, while you are away.',
    '{Many} need an experienced sitter every day while you are away.',
    '{Many} need a sitter once or twice a day while you are away.',
    '{Many} need only a short visit of a sitter each day while you are away.',
  ),
  cage: aspect(
    'is content with less room',
    '{Many} cannot live in a cage.',
    '{Many} need far more than a cage: hours of running or flying free each day.',
    '{Many} can live in a cage if it is large and they get out of it often.',
    '{Many} live in a cage or enclosure, if it is large enough.',
  ),
  talks: aspect(
    'is more likely to learn words',
    '{Many} do not talk.',
    '{Many} whistle, but few learn a word.',
    'Some {many} learn words, males more often than females.',
    '{Many} are known for learning words, but not each of them talks.',
  ),
  tricks: aspect(
    'learns tricks more easily',
    '{Many} learn no tricks.',
    '{Many} learn to know you, and little more.',
    '{Many} learn simple tricks for food.',
    '{Many} learn fast.',
  ),
  pair: aspect(
    'is more in need of company of its kind',
    '{Many} live alone: two of them fight or suffer.',
    '{Many} can live alone, and only sometimes with another one.',
    '{Many} can live in pairs if they are introduced slowly.',
    '{Many} need the company of their kind, so take at least two that know each other.',
  ),
  single: aspect(
    'is more content as a single animal',
    '{Many} should not be kept singly.',
    '{Many} are better off with another of their kind.',
    '{Many} can be kept singly if they get much attention.',
    '{Many} are kept singly.',
  ),
  coat: aspect(
    'loses less hair',
    '{Many} lose much hair.',
    '{Many} lose hair, more so in spring and autumn.',
    '{Many} lose little hair or none, but no animal is free of allergens.',
    '{Many} have neither hair nor feathers to lose.',
  ),
  grooming: aspect(
    'needs less grooming',
    '{Many} need brushing every day or regular trimming.',
    '{Many} need brushing several times a week.',
    '{Many} need brushing about once a week.',
    '{Many} need little or no grooming.',
  ),
  outdoors: aspect(
    'is more suited to life outdoors',
    '{Many} do not belong outdoors.',
    '{Many} live indoors, and go outside only with you or in a safe run.',
    '{Many} can spend mild days outdoors in a safe, dry enclosure.',
    '{Many} can live outdoors in a large, dry and safe enclosure, if they are used to it.',
  ),
  tidy: aspect(
    'damages less in a home',
    '{Many} chew or damage much when they run free.',
    '{Many} chew or scratch things, so protect cables and furniture.',
    '{Many} seldom damage things.',
    '{Many} damage nothing, because they live in their enclosure.',
  ),
  unusual: aspect(
    'is the more unusual pet',
    '{Many} are the most usual pets.',
    '{Many} are quite usual pets.',
    'Few people keep {many}.',
    '{Many} are unusual pets, so read about them before you decide.',
  ),
  guards: aspect(
    'is more likely to guard',
    '{Many} guard nothing.',
    '{Many} make noise when somebody comes, and guard nothing.',
    '{Many} announce visitors.',
    'Most {many} announce visitors, and grown large ones deter by their looks. One that shall guard needs a qualified trainer, and company: it is no alarm.',
  ),
  shortLife: aspect('lives shorter', '', '', '', ''),
  longLife: aspect('lives longer', '', '', '', ''),
} as const satisfies Readonly<Record<string, AspectText>>;

/** What people ask of a pet, and what animals of each rank are like. */
export const ASPECTS = { ...HOME_ASPECTS, ...TRAIT_ASPECTS };

export type Aspect = keyof typeof ASPECTS;

/** What the guide says about a kind of animal. A sentence for an aspect replaces the usual sentence of its rank. */
export type KindText = {
  readonly many: string;
  readonly species: Species;
  /** The usual lifespan, for example "8 to 12". */
  readonly years: string;
  readonly summary: string;
  /** Words of a breed that is of this kind, separated by commas. Without them, the name of the kind. */
  readonly words?: string;
} & Readonly<Partial<Record<Aspect, string>>>;
