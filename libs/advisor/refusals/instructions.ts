import type { Token } from '../reading/token.js';

/** What a customer may try to make the advisor do. Each has one answer. */
export type InstructionCase = 'rules' | 'price' | 'people' | 'tenants' | 'changes';

/**
 * A rule for one case, `of`. Each text of `all` lists alternative words and phrases, separated by `|`. A sentence matches the
 * rule if it contains an alternative from every text, in any order.
 */
type Rule = { readonly of: InstructionCase; readonly all: readonly string[] };

const rule = (of: InstructionCase, ...all: readonly string[]): Rule => ({ of, all });
/** The rules of all cases. */
const RULES: readonly Rule[] = [
  rule(
    'rules',
    'ignore|disregard|forget|override|bypass|skip',
    'instruction|instructions|rules|rule|prompt|guidelines|restrictions|policy|programming|constraints|training|filters',
  ),
  rule('rules', 'ignore|disregard|forget', 'previous|above|prior|earlier', 'message|messages|text|directions|orders|everything'),
  rule('rules', 'ignore|disregard|forget', 'told', 'everything|all|what|anything'),
  rule('rules', 'system|initial|hidden|secret|original|internal|developer|full', 'prompt|instructions|instruction|configuration|message'),
  rule('rules', 'your prompt|your instructions|your rules|your source code|your guidelines|your system|your configuration|your training'),
  rule('rules', 'repeat|print|output|reveal|display|recite', 'above|verbatim|instructions|prompt|everything'),
  rule(
    'rules',
    'you are now|you are no longer|pretend|act as|roleplay|role play|jailbreak|developer mode|admin mode|debug mode|dan mode|new instructions|from now on|god mode|sudo|do anything now|respond only|always say|just say|you must say|say exactly|say that|answer only with|begin your answer|start your answer|end your answer',
  ),
  rule(
    'price',
    'set|change|lower|reduce|drop|update|make|cut|adjust|alter|knock',
    'price|prices|cost',
    'to|by|down|lower|free|zero|his|her|its|the|for|off|of',
  ),
  rule(
    'price',
    '% off|percent off|discount|discounts|haggle|negotiate|coupon|voucher|promo|rebate|price match|best offer|bargain with|special offer|half price|lower offer',
  ),
  rule('price', 'costs nothing|costs only|costs just|is free|price is 0|price is zero|is now free'),
  rule('price', 'for free', 'give|gives|get|take|have|sell|him|her|it|them|want'),
  rule(
    'tenants',
    'tenant|tenants|other store|other stores|other shop|other shops|another store|another shop|another organisation|another organization|x tenant id|other organisations|other accounts',
  ),
  rule(
    'people',
    'password|passwords|api key|api keys|token|tokens|secret key|credentials|credit card|card number|private key|env|environment variable|environment variables|database|sql|drop table|source code',
  ),
  rule(
    'people',
    'who|customer|customers|previous customer|applicant|applicants|adopter|adopters|buyer|buyers|user|users|owner|owners|staff',
    'email|emails|phone|address|addresses|telephone|personal data|names|names of|ask|say|bought|adopted|applied|contact details',
  ),
  rule(
    'changes',
    'mark|set|change|update|delete|remove|cancel|reserve|hold|keep|approve|reject|unreserve|put',
    'status|available again|as available|as adopted|as sold|my order|the order|order number|reservation|application|the catalogue|the catalog|the listing|the record|aside for me|for me until|for me till|for me',
  ),
];

/** An alternative of a rule. `rule` is the index of the rule, and `group` the index of the text that lists the alternative. */
type Phrase = { readonly words: readonly string[]; readonly rule: number; readonly group: number };

const PHRASES: ReadonlyMap<string, readonly Phrase[]> = Map.groupBy(
  RULES.flatMap(({ all }, rule) =>
    all.flatMap((texts, group) => texts.split('|').map((text) => ({ words: text.split(' '), rule, group }))),
  ),
  ({ words: [first = ''] }) => first,
);

/** Returns the cases that a sentence matches. */
export const instructionCases = (tokens: readonly Token[]): readonly InstructionCase[] => {
  // One number per rule. Its bit n is set if the sentence has an alternative of group n.
  const met = RULES.map(() => 0);
  tokens.forEach(({ word }, at) => {
    for (const { words, rule, group } of PHRASES.get(word) ?? [])
      if (words.every((one, nth) => tokens[at + nth]?.word === one)) met[rule] |= 1 << group;
  });
  return [...new Set(RULES.flatMap(({ of, all }, rule) => (met[rule] === (1 << all.length) - 1 ? [of] : [])))];
};

/** The answer to each case (contract 40.6). */
export const INSTRUCTION_ANSWERS: Readonly<Record<InstructionCase, string>> = {
  rules:
    'I answer by fixed rules, from the catalogue and a short care guide. A message cannot change them, and there is no hidden text to show.',
  price: 'I cannot change or promise a price. The prices of the catalogue are the ones that count.',
  people: 'I have no data about people, accounts or systems, so I cannot show any.',
  tenants: 'I only see the catalogue of this store, and cannot look into another one.',
  changes: 'I cannot change pets, orders or applications. I only read the catalogue.',
};
