/**
 * Lists abbreviations that end in a full stop, and words that start a new sentence after one.
 *
 * A text does not say its language, so that the lists of all languages hold at once: no entry is a
 * word of another one that ends a sentence. Abbreviations of one letter are initials and need no
 * entry.
 */

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** English abbreviations that precede a name or what they announce. */
const NEVER_FINAL: ReadonlySet<string> = words(`
  mr mrs ms mx dr prof gen maj capt cpt lt sgt cpl cmdr adm brig rev fr messrs mme mlle supt insp sen sens rep reps gov govs
  mt e.g i.e eg ie cf viz vs v ca approx`);
/** Those that are words of other languages when they are small. */
const CAPITAL_TITLES: ReadonlySet<string> = words('maj sen sens');

/** The same of other languages; in capitals throughout they are others ("MW", "BC"). */
const OTHERS_NEVER_FINAL: ReadonlySet<string> = words(`
  Mio Mrd bzw evtl ggf inkl exkl einschl zzgl abzgl sog vgl insb bspw Dipl geb
  mgr MM ste Mgr sra srta sres dra dña ej p.ej lic Av Avda excmo excma ilmo ilma
  sig sigg sig.ra dott dott.ssa avv geom exma exmo
  dhr mevr drs bijv resp incl excl d.w.z f.eks t.ex ekskl vedr
  např napr tzv tzn Bc Ing MUDr JUDr PhDr RNDr MVDr nám mj np m.in ul św inż tzw zob npr gosp esim vrt pld ún Doç Sn örn bkz Cad Sok Mah Jl Tn Ny TP
  проф акад тов ул просп пер англ лат греч напр т.е доц инж ім вул δρ डॉ श्री श्रीमती प्रो`);

/** Returns true for an abbreviation whose full stop never ends a sentence. */
export const isNeverFinal = (token: string): boolean =>
  (NEVER_FINAL.has(token.toLowerCase()) && !CAPITAL_TITLES.has(token)) ||
  holds(OTHERS_NEVER_FINAL, token);

/** Abbreviations that never end a sentence before a number: No. 5, Fig. 2, Sec. 10. Lower case. */
const BEFORE_NUMBER: ReadonlySet<string> = words(
  'no nos fig figs eq eqs sec secs p pp vol vols ch art arts op mar ver',
);
/** The same of other languages: Nr. 5, núm. 5, kl. 10; those that are words have their capital. */
const OTHERS_BEFORE_NUMBER: ReadonlySet<string> = words(`
  nr nrn Abs Abb Tab Kap Bd Bde Str Rz anm ziff aufl jg lfd tel tlf okt dez
  chap tél réf éd env av janv févr avr juil déc núm núms pág págs pag pagg fracc máx mín fasc
  nrs blz afb hfdst mrt kl kr stk årg afs mia str obr odst ods čl roč rys ust poz pkt godz br št puh klo sz
  стр рис табл ст гл тел кв № αρ σελ`);

/** Matches German names of streets: Hauptstr. 5. */
const STREET = /\p{L}str$/u;

export const isBeforeNumber = (token: string): boolean =>
  BEFORE_NUMBER.has(token.toLowerCase()) ||
  holds(OTHERS_BEFORE_NUMBER, token) ||
  STREET.test(token);

/** Abbreviations that end a sentence only if a word of `STARTERS` follows. Lower case. */
const SOMETIMES_FINAL: ReadonlySet<string> = words(`
  inc ltd co corp llc plc bros jr sr st ave blvd rd hwy ft dept univ assn est col hon det pres a.m p.m ph.d m.d b.a m.a b.sc m.sc ll.b ll.m d.phil
  jan feb apr jun jul aug sept sep oct nov dec tues thurs fri al etc ed eds
  ala ariz ark calif colo conn fla ga kan ky md mich minn mont neb nev okla tenn tex vt wis wyo`);
/** The same of other languages. */
const OTHERS_SOMETIMES_FINAL: ReadonlySet<string> = words(`
  Hr Hrn Jh Jhd Chr v.Chr n.Chr Hrsg Tsd UU EE gral cía cia ltda prov Ud Uds Vd Vds bl.a
  им гг вв др пр см гр св оз пос обл руб коп млн млрд тыс чел нем фр н.э`);

export const isSometimesFinal = (token: string): boolean =>
  SOMETIMES_FINAL.has(token.toLowerCase()) || holds(OTHERS_SOMETIMES_FINAL, token);

/** Matches words that close a list, which a sentence follows: и т. п., u. s. w., o. s. v. */
const LIST_END =
  /(?:^|[\s(])(?:т\. ?(?:[дп]|ін)|[иі] т\. ?н|г\. ?д|u\. ?(?:s\. ?w|a\. ?m|v\. ?(?:a\. ?)?m)|o\. ?s\. ?v|m\. ?(?:m|v|fl)|e\. ?d)$/u;

/** Returns true if a text ends in an abbreviation that closes a list. */
export const closesList = (behind: string): boolean =>
  behind.includes('.') && LIST_END.test(behind);

/** English words that open sentences far more often than they follow an abbreviation inside one. */
const STARTERS: ReadonlySet<string> = words(`
  the a an it it's it’s he he's he’s she she's she’s they they're they’re we we're we’re i i'm i’m you you're you’re this that that's that’s these those
  in on at but and or so as if when while after before however there there's there’s here his her their its our my for from by with without what what's what’s
  who why how where which meanwhile also since although though yet not yes to some many most all another each every both according despite during still
  then now is are was were do does did has have can could would should will let until unless because once only just even perhaps
  moreover furthermore nevertheless instead additionally overall finally next under over among between through across earlier later today yesterday`);
/** The same of other languages, without those that are parts of names after initials: "J. Le". */
const OTHERS_STARTERS: ReadonlySet<string> = words(`
  der dies diese dieser dieses danach dann dort damit dabei dafür dazu daher deshalb wir ich ihr sie ein eine einen einem einer nach bei mit auf für aber wenn weil nur zum zur seit trotz während zwischen
  elle ils elles cela cette ces c’est c'est une mais puis dans avec après depuis nous vous pour selon ainsi cependant
  él ella ellos ellas esto esta pero después luego cuando también según desde entonces
  egli essi questo questa quando dopo anche perché secondo però quindi
  ele eles elas isso depois também então porém hij zij deze daarna toen maar ook volgens sinds
  он она оно они это этот эта эти в во на но и а с со к по за из от до для при после потом затем однако также так как если когда где что кто мы я вы его её ее их все под над через между теперь сейчас здесь там тогда
  всё ещё вот поэтому итак каждый каждая каждое многие некоторые никто ничто
  він вона воно вони це цей ця ці у після потім але також якщо коли де`);
/** Articles, which are parts of names after initials, but not after the others or a number. */
const ARTICLES: ReadonlySet<string> = words(
  'die das er es im am le la les il un el los las lo gli os as um uma de het een den det han hun on en au',
);

/** Returns true for a word that starts a sentence after the abbreviation `token`, or a number. */
export function isStarter(word: string, token?: string): boolean {
  const lower = word.toLowerCase();
  if (STARTERS.has(lower)) return true;
  if (word.length > 1 && isCapitals(word)) return false;
  const mayBeName = token !== undefined && !holds(OTHERS_SOMETIMES_FINAL, token);
  return OTHERS_STARTERS.has(lower) || (ARTICLES.has(lower) && !mayBeName);
}

/** Looks an entry up as it is written or, if it is small, with a capital. */
const holds = (list: ReadonlySet<string>, token: string): boolean =>
  list.has(token) || (isSmall(token.slice(1)) && list.has(token.toLowerCase()));

const isSmall = (token: string): boolean => token === token.toLowerCase();
const isCapitals = (word: string): boolean => word === word.toUpperCase();
