/** Frequent English words. Such a word is the name of a pet only if it has a capital and does not begin a sentence. */
const COMMON: ReadonlySet<string> = new Set(
  `a able about above across actually after again all almost alone along already also although always am an and another any anyone anything are aren't around as ask at away
  back bad be became because become been before began behind being best better between big bit both bring but buy by call came can can't cannot care check choose come comes could
  day days decide did didn't different do does doesn't doing don't done down each easy either else end enough even ever every everyone everything example except
  fact far feel few find first fit fits follow for free friend friends from full gave general get gets getting give given go goes going good got great had happy hard has have
  having he he'd he'll heard hello help her here hers hi him his hold home hope how however i i'd i'll i'm i've idea if important in instead into is isn't it it's its it'll
  job just keep kind knew know known large last later least left less let let's life like likes list little live lives living long look looking lot lots love loves made mainly make makes
  many may maybe me mean means might mind mine more most much must my myself name named need needs never new next nice no none nor not nothing now of off offer often oh ok okay old on once
  one ones only open option options or other others our out over own part people perhaps person pet pets place please possible prefer probably problem put question quite rather
  read ready really reason recommend right said same saw say see seem seems sell set she she'd she'll should show since small so some somebody someone something sometimes soon sorry
  sort sound sounds still stop such suggest suit suitable sure take talk tell than thank thanks that that's the their them then there there's these they they'd they're thing things think this
  those though thought through time to today together too took try turn two under until up us use used useful usually very wait want wants was wasn't way we we'd we'll we're we've week
  well went were weren't what what's when where which while who who's whole whom why will with without won't work works would wouldn't wow year years yes yet you you'd you'll you're you've
  your yours apartment flat house garden yard family wife husband partner mother father mum mom dad parents brother sister roommate landlord hour hours morning evening night weekend
  walk walks exercise food feed eat vet price cost budget money euros dollars pounds age size breed color colour gender male female available shelter store shop catalogue advisor
  compare meet versus vs difference ignore previous instructions system prompt dear assistant user experience beginner allergies allergic monday tuesday wednesday thursday friday saturday sunday
  january february march april may june july august september october november december english`.split(/\s+/),
);

export const isCommonWord = (word: string): boolean => COMMON.has(word) || word.length < 2;
