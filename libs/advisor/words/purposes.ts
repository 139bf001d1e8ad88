import type { Phrases } from './phrases.js';

/** Words that show what a message is for. */
export const PURPOSES: Phrases = [
  [
    'compare, comparison, versus, vs, difference, differences, differ, which is better, which one is better, better choice, or',
    { kind: 'compare' },
  ],
  [
    'about, more about, details, describe, information, info, details about, introduce me to, meet, story, background, facts',
    { kind: 'details' },
  ],
  ['hello, hi, hey, good morning, good evening, good afternoon, greetings, hiya, hey there', { kind: 'greeting' }],
  [
    "thanks, you are the best, you're the best, awesome, that helps, very helpful, thank you, thx, cheers, bye, goodbye, see you, thank",
    { kind: 'thanks' },
  ],
  ['yes, yeah, yep, yup, sure, ok, okay, of course, correct, right, please do, definitely', { kind: 'yes' }],
  [
    'what can you do, how can you help, who are you, what are you, help me, how does this work, what do you do, can you help, are you a robot, are you a human, what model are you, which model are you, what version, are you a real person, real person, real human, are you ai, is this a bot, is this a robot, are you a person, are you alive, are you chatgpt, are you a machine, your name, are you human, are you an ai, are you real, help, are you a bot',
    { kind: 'capability' },
  ],
];
