import type { Topic } from '../words/concept.js';
import type { Section } from './guide.js';

/** Sections about this store. Times are the defaults of contract 13.6 and 36.6. */
export const STORE: Readonly<Partial<Record<Topic, Section>>> = {
  adopting: {
    title: 'This store: adopting',
    short:
      'You can apply to adopt an available pet, or order it, through this service. A pet is reserved while an application or an order holds it.',
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
  contact: {
    title: 'This store: contact',
    short: 'I have no phone number, address or opening hours of the store.',
    more: 'The message of an application reaches the staff.',
  },
};
