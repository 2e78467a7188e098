/**
 * Lists English abbreviations that end in a full stop, and words that start a new sentence after
 * one.
 */

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Abbreviations that precede a name: their full stop never ends a sentence. Lower case. */
export const NEVER_FINAL: ReadonlySet<string> = words(`
  mr mrs ms mx dr prof gen maj capt cpt lt sgt cpl cmdr adm brig rev fr messrs mme mlle supt insp sen sens rep reps gov govs
  mt e.g i.e eg ie cf viz vs v ca approx`);

/** Abbreviations that never end a sentence before a number: No. 5, Fig. 2, Sec. 10. Lower case. */
export const BEFORE_NUMBER: ReadonlySet<string> = words(
  'no nos fig figs eq eqs sec secs p pp vol vols ch art arts op mar ver',
);

/** Abbreviations that end a sentence only if a word of `STARTERS` follows. Lower case. */
export const SOMETIMES_FINAL: ReadonlySet<string> = words(`
  inc ltd co corp llc plc bros jr sr st ave blvd rd hwy ft dept univ assn est col hon det pres a.m p.m ph.d m.d b.a m.a b.sc m.sc ll.b ll.m d.phil
  jan feb apr jun jul aug sept sep oct nov dec tues thurs fri al etc ed eds
  ala ariz ark calif colo conn fla ga kan ky md mich minn mont neb nev okla tenn tex vt wis wyo`);

/**
 * Words that open sentences far more often than they follow an abbreviation inside one. Lower case.
 */
export const STARTERS: ReadonlySet<string> = words(`
  the a an it it's it’s he he's he’s she she's she’s they they're they’re we we're we’re i i'm i’m you you're you’re this that that's that’s these those
  in on at but and or so as if when while after before however there there's there’s here his her their its our my for from by with without what what's what’s
  who why how where which meanwhile also since although though yet not yes to some many most all another each every both according despite during still
  then now is are was were do does did has have can could would should will let until unless because once only just even perhaps
  moreover furthermore nevertheless instead additionally overall finally next under over among between through across earlier later today yesterday`);
