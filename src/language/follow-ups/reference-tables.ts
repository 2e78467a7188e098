/** Lists the words of languages by which follow-ups refer back. */
import { ENGLISH_STOP_WORDS } from '../english/words/stop-words.ts';
import { listed } from '../language.ts';
import { FRENCH } from '../tables/french.ts';
import { GERMAN } from '../tables/german.ts';
import { RUSSIAN } from '../tables/russian.ts';
import { SPANISH } from '../tables/spanish.ts';
import type { ReferenceWords } from './reference-words.ts';

const endsInSound = (name: string): boolean => /[sßxz]$/iu.test(name);

export const ENGLISH_REFERENCES: ReferenceWords = {
  code: 'en',
  marks: ENGLISH_STOP_WORDS,
  opening: /^(?:and|but|so|also|then|ok(?:ay)?|thanks)\b[,\s]*/iu,
  about: /^(?:(?:and|but|so) )?(?:what|how) about\s+/iu,
  pronouns: {
    person: 'he she him himself herself',
    thing: 'it itself',
    several: 'they them themselves',
    place: 'there',
  },
  possessives: { person: 'his her hers', thing: 'its', several: 'their theirs' },
  articles: 'the',
  determiners: 'a an my your our each every any some no',
  joins: 'and or if when after before because while so but once until that than as where unless',
  hints:
    /\b(?:else|also|too|instead|other|another|again|then|bigger|larger|smaller|older|younger|taller|longer|shorter|faster|cheaper|better|worse|earlier|later|higher|lower|same|others)\b(?!.*\bthan\b)/iu,
  demonstratives: 'this that these those said',
  unnamed:
    /\b(?:the )?(?:former|latter|first|second|third|fourth|fifth|last|other|next|previous) ones?\b|\bthe (?:former|latter|other|others|first|second|third|two|three|both)\b(?=\s*(?:\?|$|of them))|\b(?:this|that|those|these)\b(?=\s*(?:\?|,|$))|\b(?:at|in|on) that (?:year|day|month|time|date)\b|\bof (?:these|those|them)\b|\bwhich (?:one|ones)\b|\b(?:is|was|does|did|can|will|would|has) (?:that|this|those|these)(?= (?:in|on|at|from|by|of|a|an|the|also|still|true|correct|right|include|work|apply|mean)\b)|\b(?:tell me|know|say|anything|something) more(?=\s*(?:[?.!,]|$))|\bmore details?(?=\s*(?:[?.!]|$))|^(?:please |can you |could you )*(?:go on|continue|explain|elaborate)\W*$/iu,
  idle: /\b(?:is|are|was|were|will|would|has|have|had|be|been|can|could|may|might|must|should|do|does|did) there\b|\bthere (?:is|are|was|were|will|would|has|have|had|be)\b|\bwhat time is it\b|\b(?:does|did|will|would|can) it (?:take|cost|mean|matter) (?:\p{L}+ )?(?:to|when|if|that)\b/giu,
  mayBeIdle: /^(?:it|they)$/,
  impersonal:
    /\bit\b[^?]{0,200}\b(?:to (?!the\b|an?\b)\p{Ll}+|that|if|when|whether|who|because|worth|okay?|safe|legal|true)\b|\bit\b[^?]{0,200}\b(?:rain(?:s|ed|ing|y)?|snow(?:s|ed|ing|y)?|hail(?:s|ed|ing)?|freez(?:e|es|ing)|storm(?:s|ing|y)?|thunder(?:s|ing)?|drizzl(?:e|es|ing)|cold(?:er)?|hot(?:ter)?|warm(?:er)?|cool(?:er)?|humid|windy|sunny|cloudy|foggy|dark|light|dry|wet|icy|mild|late|early|noon|midnight|daytime|morning|evening|night|spring|summer|autumn|winter|season|weekend|holiday|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|\b(?:rain(?:s|ed|ing|y)?|snow(?:s|ed|ing|y)?|hail(?:s|ed|ing)?|freez(?:e|es|ing)|storm(?:s|ing|y)?|thunder(?:s|ing)?|drizzl(?:e|es|ing)|cold(?:er)?|hot(?:ter)?|warm(?:er)?|cool(?:er)?|humid|windy|sunny|cloudy|foggy|dark|light|dry|wet|icy|mild|late|early|noon|midnight|daytime|morning|evening|night|spring|summer|autumn|winter|season|weekend|holiday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|far|time|date|day|month|year) (?:is|was|does|did|will|can) it\b|\bit(?:['’]s| is| was)\b|\b(?:is|was) it (?:like|going|called \p{L}|named \p{L}|better|possible|(?:a|an|the|on|in|at)\b)|\bit (?:take|matter|happen)|^(?:(?:how|why|what) )?do they\b/iu,
  bound:
    /\b(?:some|any|every|no)(?:one|body|thing)\b|\b(?:one|people|you|we|everyone|each|both)\b/iu,
  whose: /^(?:who|which|what|whose)$/,
  ofPersons: /\b(?:born|die[ds]?|marr(?:y|ied)|live[ds]?|stud(?:y|ied)|grow|grew)\b/iu,
  ofThings: /\b(?:founded|built|released|published|located|made|invented)\b/iu,
  links: 'a an at by for from in of on the to with',
  adjuncts: 'when where why how',
  replacing: { owner: name => (/s$/iu.test(name) ? `${name}'` : `${name}'s`), at: 'in' },
  dropsSubjects: false,
};

const GERMAN_REFERENCES: ReferenceWords = {
  code: 'de',
  marks: GERMAN.stopWords,
  opening: /^(?:und|aber|ok(?:ay)?|danke)(?![\p{L}])[,\s]*/iu,
  about: /^(?:(?:und|aber) )?(?:was ist mit|wie (?:sieht es mit|steht es (?:um|mit)))\s+/iu,
  pronouns: { any: 'er sie ihn ihm', thing: 'es', several: 'ihnen', place: 'dort dorthin' },
  possessives: {
    any: 'sein seine seinem seinen seiner seines ihr ihre ihrem ihren ihrer ihres',
  },
  articles: 'der die das den dem des',
  determiners: 'ein eine einen einem einer mein meine meinen meinem meiner jeder jede jedes jeden',
  joins: 'und oder wenn falls nachdem bevor weil während aber sobald',
  hints:
    /(?<!\p{L})(?:auch|sonst|noch|dieselben?|derselben?|dasselbe|andere[rsnm]?|stattdessen|wieder|damals)(?!\p{L})/iu,
  demonstratives: 'dieser diese dieses diesem diesen jener jene jenes jenem jenen',
  unnamed:
    /(?<!\p{L})(?:letztere[rsmn]?|erstere[rsmn]?|ander(?:e[rsmn]?)(?=\s*\?)|davon|(?<!, )damit|dafür|darüber|dazu|daran|dabei|danach|mehr (?:sagen|erzählen|wissen|erfahren|dazu|davon)(?=\s*(?:[?.!]|$))|(?:der|die|das|den|dem) (?:erste|zweite|dritte|vierte|letzte)[nrsm]?(?=\s*(?:\?|$)))(?!\p{L})/iu,
  idle: /(?<!\p{L})(?:gibt|gab|gäbe|handelt|geht|ging) es(?!\p{L})|(?<!\p{L})es (?:gibt|gab|gäbe|handelt sich|geht um|ist möglich)(?!\p{L})|wie spät ist es/giu,
  mayBeIdle: /^es$/,
  impersonal: /^(?!.*(?:gegründet|gebaut|erbaut|veröffentlicht|errichtet|hergestellt|erschien))/iu,
  bound: /(?<!\p{L})(?:man|jemand(?:e[nm])?|niemand|jeder|alle|wir|leute|menschen)(?!\p{L})/iu,
  whose: /^(?:wer|welche[rsmn]?|wem|wen)$/,
  ofPersons:
    /(?<!\p{L})(?:geboren|gestorben|starb|stirbt|leb(?:t|te)|gelebt|heiratete|verheiratet|studiert[e]?|wohnt[e]?|aufgewachsen)(?!\p{L})/iu,
  ofThings:
    /(?<!\p{L})(?:gegründet|gebaut|erbaut|veröffentlicht|errichtet|hergestellt|erschien(?:en)?)(?!\p{L})/iu,
  links: 'am an auf aus bei das dem den der die für im in mit nach von zu zum zur',
  adjuncts: 'wann wo warum wie weshalb wieso',
  replacing: { owner: name => (endsInSound(name) ? `${name}’` : `${name}s`), at: 'in' },
  dropsSubjects: false,
};

const DUTCH_REFERENCES: ReferenceWords = {
  code: 'nl',
  marks: listed(`
    aan al als bij dan dat de der deze die dit door een en er had heeft het hij hoe hoeveel hun ik in is je kan maar met naar niet nog of om ook op over te toen tot uit van veel voor waar waarom wanneer
    was wat we welk welke werd werden wie wiens worden wordt zij zijn zou`),
  opening: /^(?:en|maar)(?!\p{L})[,\s]*/iu,
  about: /^(?:(?:en|maar) )?(?:hoe zit het met|wat (?:met|is er met))\s+/iu,
  pronouns: { person: 'hij hem', any: 'zij ze', place: 'daar' },
  possessives: { any: 'haar hun' },
  articles: 'de het',
  determiners: 'een mijn elke',
  joins: 'en of als nadat voordat omdat terwijl maar',
  hints: /(?<!\p{L})(?:ook|nog|andere?|toen|weer)(?!\p{L})/iu,
  demonstratives: 'deze dit',
  unnamed:
    /(?<!\p{L})(?:vertel (?:me |mij )?meer|laatstgenoemde|eerstgenoemde|daarvan|daarmee|ervan|(?:de|het) (?:eerste|tweede|derde|andere|laatste)(?=\s*(?:\?|$)))(?!\p{L})/iu,
  idle: /(?!)/gu,
  mayBeIdle: /(?!)/,
  impersonal: /(?!)/,
  bound: /(?<!\p{L})(?:men|iemand|niemand|iedereen|je|mensen|we)(?!\p{L})/iu,
  whose: /^(?:wie|welke?)$/,
  ofPersons:
    /(?<!\p{L})(?:geboren|gestorven|stierf|sterft|woont|woonde|trouwde|studeerde)(?!\p{L})/iu,
  ofThings: /(?<!\p{L})(?:opgericht|gebouwd|gepubliceerd|uitgebracht|gesticht)(?!\p{L})/iu,
  links: 'aan bij de het in met naar op van voor',
  who: /^(?:en )?wie(?!\p{L})/iu,
  adjuncts: 'wanneer waar waarom hoe',
  dropsSubjects: false,
};

const FRENCH_REFERENCES: ReferenceWords = {
  code: 'fr',
  marks: FRENCH.stopWords,
  opening: /^(?:et|mais|alors|merci)(?!\p{L})[,\s]*/iu,
  about: /^(?:(?:et|mais) )?(?:qu['’]en est-il (?:de |d['’]|du )|et pour )\s*/iu,
  pronouns: { any: 'il elle lui', several: 'ils elles eux', place: 'là-bas' },
  possessives: { any: 'son sa ses', several: 'leur leurs' },
  articles: 'le la les l du au',
  determiners: 'un une des mon ma mes chaque',
  joins: 'et ou si quand après avant car mais',
  hints: /(?<!\p{L})(?:aussi|autres?|encore|alors|ailleurs)(?!\p{L})/iu,
  demonstratives: 'ce cet cette ces',
  unnamed:
    /(?<!\p{L})(?:en (?:dire|savoir) plus(?=\s*(?:[?.!]|$))|ce(?:lui|lle)-ci|ce(?:lui|lle)-là|ce(?:ux|lles)-(?:ci|là)|(?:ce dernier|cette dernière)|(?:le|la) (?:premi[eè]re?|deuxième|second|seconde|troisième|dernier|dernière|même|autre)(?=\s*(?:\?|$)))(?!\p{L})/iu,
  idle: /(?<!\p{L})il (?:y a|faut|existe|s['’]agit|est possible)|(?:y a-t-il|faut-il|existe-t-il|s['’]agit-il|qu['’]est-ce|est-ce|en est-il)|ce qu[ie]/giu,
  mayBeIdle: /(?:^|-)ils?$/,
  impersonal:
    /^(?!.*(?:né|mort|décédé|vécu|vivait|marié|épousé|étudié|fond|constru|publi|cré|situ|sorti|invent))/iu,
  bound: /(?<!\p{L})(?:on|quelqu['’]un|personne|chacun|tout le monde|les gens)(?!\p{L})/iu,
  whose: /^(?:qui|quel(?:le)?s?|lequel|laquelle)$/,
  ofPersons:
    /(?<!\p{L})(?:né|née|nés|mort|morte|décédé|décédée|vécu|vivait|marié|mariée|épousé|étudié)(?!\p{L})/iu,
  ofThings:
    /(?<!\p{L})(?:fondée?|construite?|publiée?|créée?|située?|sortie?|inventée?)(?!\p{L})/iu,
  links: 'à au avec d dans de des du en l la le les pour sur',
  adjuncts: 'quand où pourquoi comment',
  dropsSubjects: false,
};

const SPANISH_REFERENCES: ReferenceWords = {
  code: 'es',
  marks: SPANISH.stopWords,
  opening: /^¿?(?:y|pero|entonces|gracias)(?!\p{L})[,\s]*¿?/iu,
  about: /^¿?(?:(?:y|pero) )?(?:qué (?:hay de|pasa con|tal)|en cuanto a)\s+/iu,
  pronouns: { any: 'él ella', several: 'ellos ellas', place: 'allí allá ahí' },
  possessives: { any: 'su sus suyo suya' },
  articles: 'el la los las del al',
  determiners: 'un una unos unas mi mis cada',
  joins: 'y o si cuando después antes porque pero',
  hints: /(?<!\p{L})(?:también|otr[oa]s?|además|entonces|más)(?!\p{L})/iu,
  demonstratives: 'ese esa esos esas este esta estos estas aquel aquella',
  unnamed:
    /(?<!\p{L})(?:(?:el|la) (?:primer[oa]|segund[oa]|tercer[oa]|últim[oa]|otr[oa]|mism[oa])(?=\s*(?:\?|$))|est[ea] últim[oa]|eso|ello|(?:dime|cuéntame|decirme|algo) más(?=\s*(?:[?.!]|$)))(?!\p{L})/iu,
  idle: /(?!)/gu,
  mayBeIdle: /(?!)/,
  impersonal: /(?!)/,
  bound: /(?<!\p{L})(?:se|uno|alguien|nadie|cada|todos|la gente|usted)(?!\p{L})/iu,
  whose: /^(?:quién|quiénes|cuál|cuáles|qué)$/u,
  ofPersons:
    /(?<!\p{L})(?:naci[óo]|nacid[oa]|muri[óo]|falleci[óo]|vivi[óo]|vivía|se casó|estudi[óo])(?!\p{L})/iu,
  ofThings:
    /(?<!\p{L})(?:fund[óo]|fundad[oa]|constru(?:yó|id[oa])|public(?:ó|ad[oa])|situad[oa])(?!\p{L})/iu,
  links: 'a al con de del el en la las los para por',
  adjuncts: 'cuándo dónde cómo',
  dropsSubjects: true,
};

const ITALIAN_REFERENCES: ReferenceWords = {
  code: 'it',
  marks: listed(`
    a ad ai al alla alle anche che chi ci come con cosa cui da dal dalla dei del della delle di dopo dove e è era fu gli ha hanno i il in la le lo loro ma nel nella non o per perché più prima quale quali quando
    quanta quante quanti quanto questa questo qui se si sono stata stato su sua sul suo un una uno`),
  opening: /^(?:e|ed|ma|allora|grazie)(?!\p{L})[,\s]*/iu,
  about: /^(?:(?:e|ma) )?(?:che (?:ne è di|mi dici di)|e per)\s+/iu,
  pronouns: {
    person: 'lui lei egli',
    several: 'loro essi esse',
    thing: 'esso essa',
    place: 'lì là',
  },
  possessives: { any: 'suo sua suoi sue' },
  articles: 'il lo la i gli le del della dello dei',
  determiners: 'un una uno ogni mio mia',
  joins: 'e o se quando dopo prima perché ma',
  hints: /(?<!\p{L})(?:anche|altr[oaei]|ancora|allora)(?!\p{L})/iu,
  demonstratives: 'questo questa questi queste quello quella quell quegli quelle',
  unnamed:
    /(?<!\p{L})(?:quest['’]ultim[oa]|(?:dimmi|dirmi|parlami|saperne) di più(?=\s*(?:[?.!]|$))|(?:il|la|lo) (?:prim[oa]|second[oa]|terz[oa]|ultim[oa]|altr[oa]|stess[oa])(?=\s*(?:\?|$)))(?!\p{L})/iu,
  idle: /(?!)/gu,
  mayBeIdle: /(?!)/,
  impersonal: /(?!)/,
  bound: /(?<!\p{L})(?:si|qualcuno|nessuno|ognuno|tutti|la gente)(?!\p{L})/iu,
  whose: /^(?:chi|quale|quali|che)$/,
  ofPersons:
    /(?<!\p{L})(?:nat[oa]|nacque|mort[oa]|morì|vissut[oa]|visse|sposat[oa]|studi(?:ò|ato))(?!\p{L})/iu,
  ofThings: /(?<!\p{L})(?:fondat[oa]|costruit[oa]|pubblicat[oa]|situat[oa]|uscit[oa])(?!\p{L})/iu,
  links: 'a al alla con da dal della di il in l la lo nel nella per',
  who: /^(?:e )?chi(?!\p{L})/iu,
  adjuncts: 'quando dove perché come',
  dropsSubjects: true,
};

const PORTUGUESE_REFERENCES: ReferenceWords = {
  code: 'pt',
  marks: listed(`
    a ao aos as até com como da das de dela dele do dos e é ela ele em entre era essa esse esta este eu foi foram há isso já mais mas muito na nas no nos não o onde os ou para pela pelo por porque qual quais
    quando quantas quanto quantos que quem se sem ser seu sua são também tem um uma você`),
  opening: /^(?:e|mas|então|obrigad[oa])(?!\p{L})[,\s]*/iu,
  about: /^(?:(?:e|mas) )?(?:e quanto a(?:o|os|s)?|que tal)\s+/iu,
  pronouns: { any: 'ele ela dele dela', several: 'eles elas deles delas', place: 'lá ali' },
  possessives: { any: 'seu sua seus suas' },
  articles: 'o a os as do da dos das',
  determiners: 'um uma meu minha cada',
  joins: 'e ou se quando depois antes porque mas',
  hints: /(?<!\p{L})(?:também|outr[oa]s?|ainda|então)(?!\p{L})/iu,
  demonstratives: 'esse essa esses essas este esta aquele aquela',
  unnamed:
    /(?<!\p{L})(?:(?:o|a) (?:primeir[oa]|segund[oa]|terceir[oa]|últim[oa]|outr[oa]|mesm[oa])(?=\s*(?:\?|$))|est[ea] últim[oa]|isso|(?:diga|conte|saber) mais(?=\s*(?:[?.!]|$)))(?!\p{L})/iu,
  idle: /(?!)/gu,
  mayBeIdle: /(?!)/,
  impersonal: /(?!)/,
  bound: /(?<!\p{L})(?:se|alguém|ninguém|cada|todos|a gente|você)(?!\p{L})/iu,
  whose: /^(?:quem|qual|quais|que)$/,
  ofPersons: /(?<!\p{L})(?:nasceu|nascid[oa]|morreu|faleceu|viveu|casou|estudou)(?!\p{L})/iu,
  ofThings: /(?<!\p{L})(?:fundad[oa]|construíd[oa]|publicad[oa]|situad[oa]|lançad[oa])(?!\p{L})/iu,
  links: 'a ao com da de do em na no o para por',
  who: /^(?:e )?quem(?!\p{L})/iu,
  adjuncts: 'quando onde como',
  dropsSubjects: true,
};

const RUSSIAN_REFERENCES: ReferenceWords = {
  code: 'ru',
  marks: RUSSIAN.stopWords,
  opening: /^(?:а|и|но)(?!\p{L})[,\s]*/iu,
  about: /^(?:а )?(?:как|что) насч[её]т\s+/iu,
  pronouns: {
    either: 'он она его её ее ему ей нём нем ней него неё нее',
    thing: 'оно',
    several: 'они их им них',
    place: 'там туда оттуда',
  },
  possessives: {},
  articles: '',
  determiners: 'мой моя моё мои каждый',
  joins: 'и или если когда после потому но',
  hints: /(?<!\p{L})(?:также|тоже|ещё|еще|другие|других|тогда)(?!\p{L})/iu,
  demonstratives: 'этот эта эти этой этом этого этих тот той том того',
  unnamed:
    /(?<!\p{L})(?:последн(?:ий|яя|ее)(?=\s*(?:\?|$))|(?:перв|втор|друг)(?:ой|ая|ое|ый)(?=\s*\?)|подробнее|расскажи(?:те)? (?:ещё|больше))(?!\p{L})/iu,
  idle: /(?!)/gu,
  mayBeIdle: /(?!)/,
  impersonal: /(?!)/,
  bound: /(?<!\p{L})(?:кто-то|кто-нибудь|никто|каждый|все|люди|человек)(?!\p{L})/iu,
  whose: /^(?:кто|какой|какая|какие|какое)$/u,
  ofPersons:
    /(?<!\p{L})(?:родил(?:ся|ась)|умер(?:ла)?|жил[аи]?|женил(?:ся|ась)|учил(?:ся|ась))(?!\p{L})/iu,
  ofThings: /(?<!\p{L})(?:основан[ао]?|построен[ао]?|опубликован[ао]?|выпущен[ао]?)(?!\p{L})/iu,
  links: 'в во на из с со о об для',
  adjuncts: 'когда где почему как',
  dropsSubjects: false,
};

/** Matches pronouns of languages without a table here, of which some have no spaces. */
export const OTHER_PRONOUNS: RegExp =
  /[他她它]|那[里裡兒儿]|彼女?(?=[はがをにのも])|(?:それ|あれ|そこ|あそこ)|(?:^|[\s,])(?:그는|그가|그의|그를|그녀|그것|그곳|그들|거기)/u;

/** Matches question words of languages without a table here. */
export const OTHER_QUESTION_WORDS: RegExp =
  /(?<!\p{L})(?:hvem|hvad|hva|hvor|hvorfor|hvornår|hvilke[nt]?|når|vem|vad|vilke[nt]|varför|kto|gdzie|kiedy|dlaczego|jak|kdo|kde|kdy|proč|cine|unde|când|quan|què|kim|nerede|mikor|miért|kuka|missä|milloin)(?!\p{L})/iu;

/** Matches a word with letters that no language with a table has; names have capitals. */
export const OTHER_LETTERS: RegExp = /(?<!\p{L})\p{Ll}*[ığşőűąęłńćžšřěčďťňůåøđ]\p{Ll}*/u;

/** English first: of languages that fit alike the first counts. */
export const REFERENCE_TABLES: readonly ReferenceWords[] = [
  ENGLISH_REFERENCES,
  GERMAN_REFERENCES,
  FRENCH_REFERENCES,
  SPANISH_REFERENCES,
  ITALIAN_REFERENCES,
  PORTUGUESE_REFERENCES,
  DUTCH_REFERENCES,
  RUSSIAN_REFERENCES,
];
