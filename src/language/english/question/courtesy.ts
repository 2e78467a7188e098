/** Removes what surrounds a question and asks nothing: greetings, requests and thanks. */

export const INTERROGATIVES =
  '(?:(?:in|on|at|by|to|from|for|of|with|under|during) )?(?:which|what|whom|whose)|who|where|when|why|how';
export const AUXILIARIES =
  'do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|may|might|must';
/** Begins a question that depends on a request: "tell me who", "I wonder whether". */
const EMBEDDED = String.raw`(?=(?:${INTERROGATIVES}|if|whether)\b|["“‘']?(?:who|what)['’]s\b)`;
const BREAK = String.raw`\s*[,:;!.–—-]+\s*`;
const PLEASE = '(?: (?:please|kindly|possibly|perhaps|maybe|quickly|just))*';
const PERSON = '(?:you|anyone|anybody|someone|somebody)';

const OPENINGS: readonly RegExp[] = [
  String.raw`(?:hi|hello|hey|greetings|good (?:morning|afternoon|evening)|dear \p{L}+)(?: (?:there|all|everyone|team))?${BREAK}`,
  String.raw`(?:hi|hello|hey) (?:there|all|everyone|team)\s+`,
  `(?:so|well|ok|okay|now|also|quick question|one question|question|just wondering|just curious|excuse me|sorry|please|thanks|thank you)${BREAK}`,
  String.raw`(?:so|ok|okay|please)\s+(?=(?:${INTERROGATIVES}|${AUXILIARIES})\b)`,
  // "Could you please tell me", "please let us know", "you could tell me".
  String.raw`(?:(?:could|can|would|will|might) ${PERSON}${PLEASE} |(?:if |whether )?you (?:could|can|would|might)${PLEASE} )?(?:please |kindly )?(?:tell|inform|remind|help|show|let) (?:me|us)(?: (?:know|understand|see|find out|figure out|work out|remember|find))?(?: please)?(?:${BREAK}|\s+)`,
  String.raw`(?:could|can|would|will|might) ${PERSON}${PLEASE} (?:answer|explain|say|check|find out|look up|confirm)(?: this| that)?(?:${BREAK}|\s+${EMBEDDED})`,
  String.raw`(?:please )?(?:explain|say|check|find out|look up|answer)(?: this)?(?:${BREAK}|\s+${EMBEDDED})`,
  String.raw`(?:do|does|would|did) ${PERSON} (?:happen to )?(?:know|remember|recall)\s*[,:]?\s+${EMBEDDED}`,
  String.raw`(?:i|we)(?:['’](?:m|d|re|ve)| am| are| would| have| was| were)?${PLEASE}(?: been)? (?:wonder|wondering|curious|like to know|love to know|want to know|wanted to know|need to know|asking|asking myself|not sure|unsure|trying to (?:find out|figure out|remember|recall|understand|work out))(?: about)?\s*[,:]?\s+${EMBEDDED}`,
  String.raw`(?:i|we) (?:can['’]?t|cannot|don['’]?t|do not|couldn['’]?t|forget|forgot)(?: (?:quite|really))?(?: (?:remember|recall|know|tell|think of|find out|figure out))?\s*[,:]?\s+${EMBEDDED}`,
  String.raw`any (?:idea|clue)\s*[,:]?\s+${EMBEDDED}`,
  // "I was wondering if you could tell me": the rest is a request of its own.
  String.raw`(?:i|we)(?:['’]m| am| was| were)? (?:wondering|wonder) (?=(?:if|whether) you (?:could|can|would|might)\b)`,
].map(opening => new RegExp(String.raw`^[\s"“‘'(]*${opening}`, 'iu'));

const CLOSINGS: readonly RegExp[] = [
  /[\s,]*(?<=[?.!,]\s*)(?:many )?(?:thanks|thank you|cheers|thx)(?: (?:so|very) much| a lot| in advance| again)?[\s!.]*$/iu,
  /,? please(?=\s*[?.!]*\s*$)/iu,
];
/** Openings can follow each other: "Hi, sorry, could you tell me". */
const MOST_OPENINGS = 4;
/** Number of UTF-16 units at the end in which a closing is found: bounds the search. */
const TAIL = 80;

/**
 * Returns the question without greeting, request and thanks, its first letter in capitals; the text
 * itself if it has none. "Do you know if it rains?" becomes "Whether it rains?".
 */
export function withoutCourtesy(question: string): string {
  let text = question;
  for (let round = 0; round < MOST_OPENINGS; round++) {
    const match = OPENINGS.map(opening => opening.exec(text)).find(found => found !== null);
    const rest = match ? text.slice(match[0].length) : '';
    if (rest.trim() === '') break;
    text = rest.replace(/^if\b(?! you (?:could|can|would|might)\b)/i, 'whether');
  }
  for (const closing of CLOSINGS) {
    const [head, tail] = [text.slice(0, -TAIL), text.slice(-TAIL)];
    const rest = head + tail.replace(closing, '');
    if (rest.trim() !== '') text = rest;
  }
  return text === question ? question : text.replace(/^\p{Ll}/u, first => first.toUpperCase());
}
