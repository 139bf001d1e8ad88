import type { Phrases } from './phrases.js';

/** Words that change the meaning of the words around them: negations, corrections, wants, references. */
export const TALK: Phrases = [
  ['no experience with, no experience in, never had experience with, little experience with', { kind: 'other' }],
  ['show me more about, tell me more about, more about, more details about', { kind: 'other' }],
  [
    "no, not, don't, dont, do not, doesn't, doesnt, isn't, isnt, aren't, arent, wasn't, can't, cant, cannot, won't, wont, wouldn't, shouldn't, never, without, except," +
      'nothing with, nothing that has, avoid, hate, hates, dislike, dislikes, other than, rather than, instead of, nor, neither, anything but, anyone but, everything but, all but, but not,' +
      'any but, excluding, exclude, skip, afraid of, scared of, terrified of, fear of, rule out, non, no more, not interested in, not a fan of, not a big fan of, no fan of, not much of a fan of, apart from, cannot have, minus,' +
      "can't stand, can not, wouldn't want, don't like, don't want, does not, did not, didn't, not into, no longer, nothing like, tired of, remove, not looking for, stop showing me, stop showing, stop offering me, stop offering, stop with the, enough of, enough with, sick of",
    { kind: 'negator' },
  ],
  [
    "don't mind, dont mind, do not mind, doesn't mind, not only, not just, no problem with, no problem, no objection to, nothing against, have nothing against, not afraid of, not allergic to, not against, why not," +
      "can't decide, cannot decide, can not decide, couldn't decide, can't choose, can't make up my mind, not decided, don't hate, not opposed to, no issue with, don't you have, do you not have, aren't there, isn't there, not necessarily, haven't you got, not sure if, not sure whether," +
      "not too late, can't wait, cannot wait, don't worry, no worries, no doubt, don't forget, not to mention, not bad, not sure, not really sure",
    { kind: 'acceptance' },
  ],
  [
    "if you don't have one, if you don't have it, if you don't have any, if you don't have that, if you don't have those, if you don't have, if you do not have one, if you do not have any, if you have none, if you haven't, if you haven't got one, if you haven't got any, if you haven't got, if not, if there is none, if there are none, if there isn't one, if there isn't, if there aren't any, " +
      'or else, otherwise, failing that, alternatively, as a second choice, second choice, if none, if unavailable, if not available, if that is not possible, if you are out of',
    { kind: 'fallback' },
  ],
  [
    'actually, no wait, wait no, wait, scratch that, i mean, i meant, make that, make it, on second thought, on second thoughts, sorry, correction, changed my mind,' +
      'change of plan, rather a, switch to, let us say, or rather, hold on, hang on, oops',
    { kind: 'correction' },
  ],
  [
    "doesn't matter, doesnt matter, does not matter, don't care, dont care, do not care, no preference, not important, any, whatever, whichever, either way, not fussy," +
      "not picky, irrelevant, isn't important, is not important, anything, no limit, unlimited, flexible, is fine, are fine, all fine, open to anything, no matter, up to you, unimportant," +
      "isn't an issue, is not an issue, not an issue, forget, ignore, forget about, scrap, drop the, never mind the, no object",
    { kind: 'indifference' },
  ],
  ['also, too, as well, additionally, plus, either, in addition, or maybe, or even, both', { kind: 'addition' }],
  [
    'want, wants, wanted, would like, like, love, looking for, look for, looking at, look at, need, needs, adopt, adopting, get, getting, find, finding, search, searching for, interested in,' +
      "prefer, prefers, preferably, recommend, suggest, buy, buying, i'd like, we'd like, choose, thinking of, thinking about, think about, think of, thought about, thought of, considering, show, show me, get me, give me, after," +
      'bring home, hoping for, ideally, seeking, to have, could have, can have, can i have, may i have, could i have, match me, pick, go for, my new, our new, my next, our next, my first, our first,' +
      'would be nice, would be great, instead a, must be, should be, has to be, have to be, must, prefer a, preference is, rescue, to own, ready for a new, ready for another, ready to adopt, ready to get',
    { kind: 'want' },
  ],
  [
    'have, has, own, owns, got, my, our, already have, live with, living with, my other, our other, current, existing, resident, with my, keep',
    { kind: 'own' },
  ],
  [
    "had, used to have, grew up with, lost, passed away, died, never had, never owned, never kept, used to own, have had, i've had, bought, purchased, adopted from you, got from you",
    { kind: 'past' },
  ],
  [
    'do you have, have you got, can you offer, do you offer, are there, is there, got any, you have, how many, do you sell, any available, available, in stock, list, which, what about, how about, have any, see your, you got, browse',
    { kind: 'query' },
  ],
  [
    'good with other, get along with other, gets along with other, get on with other, gets on with other, friendly with other, ok with other, okay with other, fine with other, safe with other, likes other, like other, with other, with my, with our, with a, with, good with, friendly with, get along with, gets along with, around my, around other, around our, tolerates, tolerate, used to other, get on with',
    { kind: 'with' },
  ],
  [
    'under, below, less than, at most, up to, max, maximum, no more than, not more than, within, not over, tops, or less, at the most, not above, as much as, fewer than, no higher than, lower than, upto, not exceed,' +
      'maximum of, max of, cap of, limit of, limit is, nothing over, nothing above, can spend, can pay, can afford, not exceeding, or under, and under, or below, or cheaper',
    { kind: 'bound', bound: 'max' },
  ],
  [
    'over, above, more than, at least, minimum, min, not less than, no less than, not under, or more, starting at, or above, and up, and above',
    { kind: 'bound', bound: 'min' },
  ],
  [
    'younger than, no older than, not older than, or younger, not over the age of, under the age of, below the age of, nothing older than',
    { kind: 'bound', bound: 'max', of: 'age' },
  ],
  [
    'older than, no younger than, not younger than, or older, over the age of, above the age of, aged over, nothing younger than',
    { kind: 'bound', bound: 'min', of: 'age' },
  ],
  ['cheaper than, for less than, less expensive than', { kind: 'bound', bound: 'max', of: 'money' }],
  ['around, about, roughly, approximately, approx, circa, close to, ish, near', { kind: 'bound', bound: 'about' }],
  ['year, years, yr, yrs, yo, y, years old, year old, year olds, years of age, yr old, yrs old, y old', { kind: 'unit', months: 12 }],
  ['month, months, mo, mos, mth, mths, months old, month old', { kind: 'unit', months: 1 }],
  ['week, weeks, wk, wks, weeks old, week old', { kind: 'unit', months: 0.25 }],
  ['kind of pet, type of pet, species, kind, type, kind of animal, type of animal', { kind: 'slot', slot: 'species' }],
  ['breed, breeds', { kind: 'slot', slot: 'breed' }],
  ['age, ages, aged, how old', { kind: 'slot', slot: 'age' }],
  ['size, sizes, sized, how big, how large', { kind: 'slot', slot: 'size' }],
  [
    'budget, price, prices, money, spend, pay, cost, costs, afford, price range, how much, fee, adoption fee, priced, expensive, pricey, costly',
    { kind: 'slot', slot: 'budget' },
  ],
  ['gender, sex', { kind: 'slot', slot: 'gender' }],
  ['colour, color, colours, colors, coloured, colored', { kind: 'slot', slot: 'color' }],
  [
    'cheaper, less expensive, lower price, lower priced, more affordable, less pricey, less money, bit less',
    { kind: 'relative', than: 'cheaper' },
  ],
  ['younger, less old', { kind: 'relative', than: 'younger' }],
  ['older, a bit older, more mature', { kind: 'relative', than: 'older' }],
  ['smaller', { kind: 'relative', than: 'smaller' }],
  ['bigger, larger', { kind: 'relative', than: 'larger' }],
  [
    "i'm broke, we're broke, " +
      'not much money, not much cash, little money, low budget, low income, on a budget, money is tight, not too expensive, not expensive, not too pricey, not pricey, nothing expensive, not too costly, cheap, affordable, inexpensive, budget friendly, low cost, tight budget, small budget, am broke, are broke, totally broke, pretty broke, super broke, rather broke, so broke, skint, no money, not rich, poor student, low on money, short on money, short of money, not a lot of money, on a shoestring',
    { kind: 'order', by: 'cheapest', isSoft: true },
  ],
  ['cheapest, least expensive, lowest price, lowest', { kind: 'order', by: 'cheapest' }],
  [
    'cheapest to keep, cheapest to own, cheapest to feed, cheapest to have, cheapest to maintain, cheapest to look after, cheapest to run, most expensive to keep, most expensive to own, most expensive to feed, longest hair, longest fur, longest coat, longest ears, longest tail, longest lifespan, longest life, live longest, live the longest, lives longest, lives the longest, longest lived, longest lasting',
    { kind: 'other' },
  ],
  [
    'most expensive, dearest, priciest, costliest, most costly, highest price, highest priced, most pricey',
    { kind: 'order', by: 'dearest' },
  ],
  ['youngest', { kind: 'order', by: 'youngest' }],
  ['oldest, eldest, most senior', { kind: 'order', by: 'oldest' }],
  [
    'newest, latest, most recent, most recently, arrived last, came last, came in last, last to arrive, last to come in, just arrived, recently arrived, arrived recently, just came in, came in recently, came in this week, came in today, came this week, arrived this week, arrived today, new this week, new arrival, new arrivals, recent arrivals, ' +
      'recent arrival, new in, newly arrived, last arrived',
    { kind: 'order', by: 'newest' },
  ],
  [
    'longest, waiting forever, waiting ages, waiting for ages, waiting so long, waited so long, been waiting long, waiting a long time, waiting for a long time, waiting too long, overlooked, long stay, long stayer, long stayers, long term resident, long term residents, ' +
      'nobody wants, no one wants, nobody else wants, no one else wants, arrived first, came first, came in first, first to arrive, here for ages, here a long time, here for a long time, here forever, earliest',
    { kind: 'order', by: 'longest' },
  ],
  ['smallest, tiniest, littlest, lightest, shortest', { kind: 'order', by: 'smallest' }],
  ['biggest, largest, hugest, heaviest, tallest', { kind: 'order', by: 'largest' }],
  [
    'first two, first 2, top two, first and second, the first two, the first 2, the top two, the first and second',
    { kind: 'ordinal', nth: 1, count: 2 },
  ],
  ['first three, first 3, top three, the first three, the first 3, the top three', { kind: 'ordinal', nth: 1, count: 3 }],
  ['last two, the last two', { kind: 'ordinal', nth: -2, count: 2 }],
  ['first one, the first, first, 1st, 1st one, number one, number 1, option 1, first pet, the former, former', { kind: 'ordinal', nth: 1 }],
  [
    'second one, the second, second, 2nd, 2nd one, number two, number 2, option 2, second pet, the latter, latter',
    { kind: 'ordinal', nth: 2 },
  ],
  ['third one, the third, third, 3rd, 3rd one, number three, number 3, option 3, third pet', { kind: 'ordinal', nth: 3 }],
  ['last one, the last, the last one, last pet', { kind: 'ordinal', nth: -1 }],
  [
    'he, she, him, her, his, hers, it, its, that one, this one, that pet, this pet, that dog, this dog, that cat, this cat, that bird, that rabbit',
    { kind: 'pronoun', many: false },
  ],
  [
    'them, they, those two, these two, both of them, the two, all of them, those, these, all three, the three',
    { kind: 'pronoun', many: true },
  ],
  [
    'more options, other options, something else, someone else, others, another one, show more, show me more, more pets, next ones, anything else, any others, any other, different ones, else, alternatives,' +
      'other ones, other pets, more please, some more, who else, what else, a different one, none of them, none of these, none of those, not these, not those, more dogs, more cats, other dogs, other cats, see more, another, the rest, the rest of them',
    { kind: 'more' },
  ],
  ['us dollars, us dollar, dollars, dollar, usd, bucks, $', { kind: 'currency', code: 'USD' }],
  ['euros, euro, eur, €', { kind: 'currency', code: 'EUR' }],
  ['pounds, pound, gbp, sterling, quid, £', { kind: 'currency', code: 'GBP' }],
  ['yen, jpy, ¥', { kind: 'currency', code: 'JPY' }],
  ['swiss francs, francs, chf', { kind: 'currency', code: 'CHF' }],
  ['canadian dollars, cad', { kind: 'currency', code: 'CAD' }],
  ['australian dollars, aud', { kind: 'currency', code: 'AUD' }],
  [
    'start over, reset, start again, from scratch, forget everything, forget all that, ignore everything i said, ignore what i said, new search, clear everything',
    { kind: 'reset' },
  ],
];
