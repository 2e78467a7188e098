/**
 * Lists words by which questions refer to reports and compare them, which masked questions keep
 * besides the function words of English.
 */
import { ENGLISH_STOP_WORDS } from './stop-words.ts';

/**
 * Chosen by meaning: reporting, agreeing, changing, ordering in time, degree, asking, and the
 * common kinds of requested things.
 */
const words = `
access according account accuse accused acknowledge acknowledged acknowledges acknowledging agree agreed agreement agreeing agrees align aligned aligns
alike allege alleged allegedly alleges analysis announced announce answer any apart argue argued argues arguing article articles aspect aspects assert asserted asserts associated
attribute attributed attributes based became become both brand change changed changes changing city claim claimed claiming claims common company
compare compared comparing comparison concern concerned concerning conclude concludes concluded conclusion confirm confirmed confirming confirms conflict conflicting
consider considered considering considers consistency consistent consistently contradict contradicted contradicting contradiction contradictory contradicts contrary contrast
contrasted contrasting contrasts country cover coverage covered covering covers criticize criticized criticizes decline declined declines decrease decreased decreases
denied denies did do does doing deny depict depicted depicting depicts describe described describes describing description detail detailed detailing details differ
difference differences different differently differing differs disagree disagreement discrepancies discrepancy discuss discussed discusses
discussing discussion disputed due earlier emphasis emphasize emphasized emphasizes entity event evolve evolved exclude excludes exclusively expect expected expects
experience express expressed expresses fact facts fail failed fails failure false falling featured featuring feature features figure firm focus focused focuses focusing following
former game given group high higher highest highlight highlighted highlighting highlights identified identify identifies imply implied implies implying important improve
improved improvement improvements inaccurate include included includes including inconsistencies inconsistency inconsistent increase increased increases
increasing indicate indicated indicates indicating individual individuals information initial initially insight insights involved involving issue issues known lack lacks late later latest lead leader less
linked location lower lowest maintain maintained maintaining maintains major match mention mentioned mentioning mentions month months multiple name named narrative narratives negative
negatively nature news note noted notes number offer offers opinion opinions oppose opposed opposing opposite order organization organisation original outlook paper performance perception person perspective
perspectives piece place point politician portray portrayal portrayed portraying portrays position positive positively post predict predicted predicts prediction present presented presenting presents
previous previously prior product program publication publications publish published publisher question rank ranked reason recent recently reflect reflected reflects reference referenced references
refer refers refuted regarding related relationship reliance remain remained remaining remains report reported reportedly reporting reports represent represented represents
respective respectively response result results reveal revealed reveals review reviewed reviews rise rising role said saw say saying says second separate separately service shift shifted shifting
significant significantly similar similarity similarly single situation solely source sources specific specifically stance stances state stated statement statements states stating
status still stories story strategy subject subsequent subsequently success suggest suggested suggesting suggestion suggests supports support supported supporting
table talk team term terms theme themes thesis time timeline topic topics treatment trend true type types uniform unchanged unique unlike upcoming update updated updates value version versions view viewed views viewpoint viewpoints
win winner won world worse better best worst year years yes day days date
`;

const discourseWords: ReadonlySet<string> = new Set([
  ...words.trim().split(/\s+/),
  ...ENGLISH_STOP_WORDS,
]);

export const isDiscourseWord = (word: string): boolean => discourseWords.has(word);
