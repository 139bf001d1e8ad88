import type { Topic } from '../words/concept.js';
import type { Section } from './guide.js';

const ADOPTING =
  'You can apply to adopt an available pet, or order it, through this service. A pet is reserved while an application or an order holds it.';

/** Sections about this store. Times are the defaults of contract 13.6 and 36.6. */
export const STORE: Readonly<Partial<Record<Topic, Section>>> = {
  adopting: {
    title: 'This store: adopting',
    short: ADOPTING,
    more: 'The staff decide on applications. I only read the catalogue, and cannot reserve a pet for you.',
  },
  application: {
    title: 'This store: after you apply',
    short:
      'The staff decide on each application. I cannot see when, and I see no applications. You can read the status of yours through this service, with your account or with the token that you got when you applied.',
    more: 'You can withdraw it until it is decided. An application that nobody decides expires, by default after 14 days. If the pet goes to somebody else, your application is rejected, and it names that reason.',
  },
  requirements: {
    title: 'This store: what you need',
    short: 'An application needs your name and email address, or your account. You can add a message to the staff.',
    more: 'Each pet needs its own application. I know of no other conditions. Please ask the staff, for example about your age or your home.',
  },
  visiting: {
    title: 'This store: visiting',
    short: 'I do not know when you can visit. Please ask the staff.',
    more: 'Meet a pet before you apply for it, together with everybody who will live with it.',
  },
  paying: {
    title: 'This store: paying',
    short: 'You can pay an order through this service by card or from a bank account. The price in the catalogue counts.',
    more: 'An order that nobody pays is cancelled, by default after 24 hours, and its pet is available again. I know of no other fees.',
  },
  returning: {
    title: 'This store: if it does not work out',
    short: 'I do not know the rules for giving a pet back. Please ask the staff before you adopt.',
    more: 'Give a new pet time: many need weeks to settle in. Tell the staff early if there are problems.',
  },
  delivery: {
    title: 'This store: bringing the pet home',
    short: 'I do not know whether the store brings a pet to you. Please ask the staff.',
    more: 'Have a safe carrier ready for the journey.',
  },
  surrendering: {
    title: 'This store: pets that need a new home',
    short: 'I do not know whether the store takes your animal. Please ask the staff, or an animal shelter near you.',
    more: 'Tell them about its habits, its health and its papers, so that they can find a good home.',
  },
  orders: {
    title: 'This store: orders',
    short: 'I see no orders. You can read the status of yours through this service.',
    more: 'An order is placed, approved once it is paid, then shipped and delivered.',
  },
  photos: {
    title: 'This store: photos',
    short: 'I can only write. The photos of a pet, if it has any, are in the catalogue.',
    more: 'I can state everything else that the catalogue says about a pet.',
  },
  hours: {
    title: 'This store: opening hours',
    short: 'I do not know the opening hours. Please ask the staff.',
    more: 'The catalogue and applications are open at any time through this service.',
  },
  goods: {
    title: 'This store: food and equipment',
    short: 'I only know the pets of the catalogue, and do not know whether the store sells food or equipment. Please ask the staff.',
    more: '',
  },
  person: {
    title: 'This store: contact',
    short: 'I am the automatic advisor, a program and no person, and I cannot connect you. The staff of the store can help you.',
    more: 'I have no phone number, address or opening hours of the store. The message of an application reaches the staff.',
  },
  holding: {
    title: 'This store: adopting',
    short: ADOPTING,
    more: 'An order that nobody pays lapses, by default after 24 hours, and an application that nobody decides after 14 days, so neither keeps a pet for a later date. Please ask the staff whether they do. I only read the catalogue, and cannot reserve a pet for you.',
  },
  equipment: {
    title: 'This store: costs of equipment',
    short:
      'The catalogue has only the prices of pets, so I do not know what a cage, a tank, food or other equipment costs. Please ask the staff or a pet shop.',
    more: 'For a small pet, a bird or a reptile the home often costs more than the animal.',
  },
  contact: {
    title: 'This store: contact',
    short: 'I have no phone number, address or opening hours of the store.',
    more: 'The message of an application reaches the staff.',
  },
};

/** What customers ask about the store and no section of the guide says. The nouns complete "I do not know …". */
const UNKNOWN: readonly (readonly [asked: RegExp, noun: string])[] = [
  [
    / (?:instal?lments?|monthly payments?|pay monthly|financing|finance|pay later|klarna|afterpay|layaway|credit plan) /,
    'whether you can pay in instalments',
  ],
  [/ (?:pay|take|accept) (?:[^ ]+ ){0,3}(?:cash|coins) | only cash | in cash | pay cash /, 'whether the store takes cash'],
  [
    / (?:paypal|cheques?|(?:pay|by|with|accept|take) (?:[^ ]+ ){0,2}checks?|bitcoin|crypto|apple pay|google pay|gift cards?|vouchers?|coupons?) /,
    'whether the store takes other ways to pay',
  ],
  [
    / (?:discounts?|on sale|special offers?|(?:any|a|special|good) deals?|cheaper if|(?:for|at) the price of (?:one|1)|two for one|2 for 1|bundle|haggle|student price|senior price|promo|promotion|negotiable) /,
    'of any discount',
  ],
  [/ (?:warranty|guarantee|guaranteed|health guarantee|insurance included) /, 'of any guarantee'],
  [/ (?:pedigree|papers|breeding papers|kennel club|purebred certificate) /, 'which papers a pet has'],
  [
    / (?:volunteer|volunteering|(?:any|offer|offering) jobs?|internship|hiring|work for you|work here|vacanc(?:y|ies)) (?!full|all|from|long)/,
    'whether the store looks for people',
  ],
  [
    / (?:grooming service|boarding|dog sitting|pet sitting|daycare|vet service|obedience class|classes|training course) /,
    'which services the store has',
  ],
  [/ (?:parking|park my car|wheelchair access|bus stop|train station) /, 'how to get there or where to park'],
  [
    / (?:waiting list|wait ?list|notify me|let me know when|tell me when|when (?:will|do) you (?:get|have) (?:more|new)|get more|coming soon|next week) /,
    'which pets will come, and I cannot send notices',
  ],
  [
    / (?:breeder|breeders|where (?:do|did) (?:the|your|these|they) (?:[^ ]+ )?(?:come|came) from|puppy mill|the parents of) /,
    'where the pets come from',
  ],
  [
    / (?:take|get|bring|collect|need|want|adopt|buy|i have|we have) (?:[^ ]+ ){0,5}(?:today|tomorrow|right now|this weekend|straight away|immediately|same day) /,
    'how soon you can take a pet home',
  ],
  [/ why (?:is|are|do|does) (?:[^ ]+ ){1,6}(?:expensive|cheap|pricey|much|cost) /, 'why a price is as it is, because the staff set it'],
  [
    / (?:do|does|did|will|have) (?:you|they|u|the store|the staff|you guys) (?:[^ ]+ ){0,4}(?:neuter|spay|vaccinate|chip|microchip|deworm|health check|vet check|socialise|train) /,
    'what the store does before an adoption, but the catalogue says of each pet whether it is vaccinated, neutered and chipped',
  ],
  [
    / (?:recommend|know|suggest|have|find) (?:[^ ]+ )?(?:a |any |some )?(?:good |nearby |cheap |local )*(?:vets?|trainers?|breeders?|pet sitters?|groomers?) (?!about|said|says)/,
    'a vet, trainer or sitter near you',
  ],
  [/ (?:to|for|want|can i) breed(?:ing)? /, 'whether the store gives pets for breeding'],
  [
    / (?:i'm|am) (?:[^ ]+ )?(?:blind|deaf|disabled|in a wheelchair|unemployed|homeless) (?:[^ ]+ ){0,8}(?:adopt|get|have|buy|keep) /,
    'of any rule about that',
  ],
  [
    / (?:adopt don't shop|why do (?:you|they) (?:sell|keep|breed|trade)) /,
    'why the store works as it does, but each pet goes only to a home that the staff have agreed to',
  ],
  [/ most popular | bestsell[a-z]+ | best selling /, 'what is popular'],
  [
    / (?:facebook|instagram|tiktok|craigslist|ebay|newspaper|posted|advert|your ad|in the ad) /,
    'what was posted elsewhere: I only read the catalogue',
  ],
  [/ (?:donate|donation|donations|sponsor) /, 'how to donate'],
];

/** The patterns of what the guide does not say about the store. Its answer names the rest of such a question. */
export const UNKNOWN_PATTERNS: readonly RegExp[] = UNKNOWN.map(([asked]) => asked);

/** Says what a question about the store asks and the guide does not say. Returns null if nothing is missing. */
export const unknownOfStore = (text: string): string | null => {
  const nouns = UNKNOWN.flatMap(([asked, noun]) => (asked.test(text) ? [noun] : []));
  return nouns.length === 0 ? null : `I do not know ${nouns.join(', or ')}. Please ask the staff.`;
};
